import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

/** The path of a program in PATH, or undefined. */
export function findProgram(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  return folders.map(folder => join(folder, name)).find(isExecutable)
}

/** The parts of a program beside its binary, also where its packages were only unpacked (`.ci/run` does that). */
export function partsOf(program: string, name: string): { folders: string[]; libraries: string[] } {
  const above = dirname(dirname(program))
  const roots = [above, join(above, 'usr')]
  return {
    folders: roots.map(root => join(root, 'share', name)).filter(folder => existsSync(folder)),
    libraries: roots.flatMap(libraryFolders),
  }
}

/** `lib/x86_64-linux-gnu` and the like. */
function libraryFolders(root: string): string[] {
  const folder = join(root, 'lib')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(name => name.endsWith('-linux-gnu'))
    .map(name => join(folder, name))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
