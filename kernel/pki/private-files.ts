import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { moveDurably } from 'orch/sdk/host'

const ownerOnlyFile = 0o600
const ownerOnlyFolder = 0o700

/** Creates a folder that only the owner may access; permissions of an existing one are restricted. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: ownerOnlyFolder })
  chmodSync(path, ownerOnlyFolder)
}

/** Writes a file that only the owner may read, atomically: a crash or a power loss leaves the old one. */
export function writePrivateFile(path: string, text: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(temporary, text, { mode: ownerOnlyFile, flag: 'wx' })
    // A first start has no data to lose, and should not wait for the disk.
    if (existsSync(path)) moveDurably(temporary, path)
    else renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    const { code, message } = error as NodeJS.ErrnoException
    throw Object.assign(new Error(`${path} cannot be written: ${message}`, { cause: error }), { code })
  }
}

/** The text of a file; undefined if it does not exist. */
export function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
