import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

const ownerOnlyFile = 0o600
const ownerOnlyFolder = 0o700

/** Makes a folder that only the owner may enter; one that exists is closed to others. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: ownerOnlyFolder })
  chmodSync(path, ownerOnlyFolder)
}

/** Writes a file that only the owner may read, all of it or nothing: a crash leaves the old one. */
export function writePrivateFile(path: string, text: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(temporary, text, { mode: ownerOnlyFile, flag: 'wx' })
  renameSync(temporary, path)
}

/** The text of a file, or undefined when there is none. */
export function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
