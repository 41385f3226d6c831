import { readFileSync } from 'node:fs'
import { UsageError } from './usage-error.js'

/** Reads a file that the user named. */
export const readFile = (path: string): Buffer => reading(path, () => readFileSync(path))

/** Reads from a path that the user named; a failure is a UsageError. */
export function reading<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(code === 'ENOENT' ? `there is no file ${path}` : `cannot read ${path}: ${code}`)
  }
}
