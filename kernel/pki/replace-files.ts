/**
 * Replaces several files of `pki/`, all of them or none, whenever the process is killed:
 *
 *   unfinished/pki/   new files are created here; the next run removes it
 *   replacing/        the same folder once it is complete: the next run moves the remaining files to their places
 *   before-<time>/    the files that were replaced
 */
import { copyFileSync, existsSync, linkSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type AtStep, moveDurably, syncPath } from 'orch/sdk/host'
import { makePrivateFolder } from './private-files.js'

const unfinished = 'unfinished'
const replacing = 'replacing'

/** Finishes an interrupted replacement, or removes the files of one that was not complete. */
export function finishReplacement(folder: string, at: AtStep = () => {}): void {
  rmSync(join(folder, unfinished), { recursive: true, force: true })
  const from = join(folder, replacing)
  if (!existsSync(from)) return
  const entries = readdirSync(from, { withFileTypes: true })
  for (const { name } of entries.filter(entry => entry.isFile())) {
    moveDurably(join(from, name), join(folder, name))
    at(`${name} is in place`)
  }
  for (const { name: kept } of entries.filter(entry => entry.isDirectory())) {
    // A kept file that is still in its place has no replacement.
    for (const name of readdirSync(join(from, kept)))
      if (isSameFile(join(folder, name), join(from, kept, name))) rmSync(join(folder, name))
    moveDurably(join(from, kept), join(folder, kept))
    at('the old files are in place')
  }
  rmSync(from, { recursive: true })
}
const isSameFile = (one: string, other: string): boolean => existsSync(one) && statSync(one).ino === statSync(other).ino

/**
 * `make` gets a data folder with a copy of `pki/`, without the files that `removed` names, and writes their replacements there.
 * Returns the folder of the replaced files.
 */
export async function replaceFiles(
  folder: string,
  removed: readonly string[],
  make: (dataDir: string) => Promise<void>,
  at: AtStep = () => {},
): Promise<string> {
  finishReplacement(folder)
  const dataDir = join(folder, unfinished)
  const made = join(dataDir, 'pki')
  try {
    makePrivateFolder(dataDir)
    makePrivateFolder(made)
    for (const name of filesIn(folder)) if (!removed.includes(name)) copyFileSync(join(folder, name), join(made, name))
    at('the copy is made')
    await make(dataDir)
    at('the new files are made')
    const kept = `before-${new Date().toISOString().replace(/[:.]/g, '-')}`
    keepReplaced(folder, made, kept)
    at('the old files are kept')
    for (const name of filesIn(made)) syncPath(join(made, name))
    moveDurably(made, join(folder, replacing))
    at('the new files are complete')
    finishReplacement(folder, at)
    return join(folder, kept)
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true })
    throw error
  }
}

/** Leaves only changed files among the new ones, and links replaced or removed files into a folder beside them. */
function keepReplaced(folder: string, made: string, kept: string): void {
  makePrivateFolder(join(made, kept))
  for (const name of filesIn(folder)) {
    const [old, young] = [join(folder, name), join(made, name)]
    if (existsSync(young) && readFileSync(old).equals(readFileSync(young))) rmSync(young)
    else linkSync(old, join(made, kept, name))
  }
}
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ name }) => name)
