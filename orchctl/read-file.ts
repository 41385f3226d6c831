import { readFileSync } from 'node:fs'
import { UsageError } from './usage-error.js'

/** The contents of a file that the person named. */
export const readFile = (path: string): Buffer => reading(path, () => readFileSync(path))

/** Reads at a path that the person named; what goes wrong there is theirs to mend. */
export function reading<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(code === 'ENOENT' ? `there is no file ${path}` : `cannot read ${path}: ${code}`)
  }
}
