import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Programs with this prefix are plugins: `orchctl-hello` is `orchctl hello`. */
const prefix = 'orchctl-'

type Environment = Readonly<Record<string, string | undefined>>
const foldersOf = ({ PATH = '' }: Environment) => PATH.split(delimiter).filter(folder => folder !== '')

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** The program of the plugin with the longest name that the arguments begin with, and the arguments after that name. */
export function findPlugin(
  argv: readonly string[],
  environment: Environment,
): { readonly path: string; readonly args: readonly string[] } | undefined {
  const firstFlag = argv.findIndex(word => word.startsWith('-'))
  const words = firstFlag < 0 ? argv : argv.slice(0, firstFlag)
  for (let count = words.length; count > 0; count--) {
    // A dash separates words, so one inside a word is an underscore in the name of the program.
    const name =
      prefix +
      words
        .slice(0, count)
        .map(word => word.replaceAll('-', '_'))
        .join('-')
    if (name.includes('/')) continue
    const path = foldersOf(environment)
      .map(folder => join(folder, name))
      .find(isProgram)
    if (path !== undefined) return { path, args: argv.slice(count) }
  }
  return undefined
}

/** A program with the name of a plugin, and the reason why it cannot be used as one. */
export interface FoundPlugin {
  readonly path: string
  readonly name: string
  readonly problem?: string
}

/** All plugins, in the order of the path. */
export function allPlugins(environment: Environment): FoundPlugin[] {
  const seen = new Map<string, string>()
  return foldersOf(environment).flatMap(folder =>
    namesIn(folder).map(name => {
      const path = join(folder, name)
      const first = seen.get(name)
      if (first === undefined) seen.set(name, path)
      const problem = !isProgram(path)
        ? 'it is not executable'
        : first === undefined
          ? undefined
          : `it is shadowed by ${first}, which comes first in the path`
      return { path, name, ...(problem === undefined ? {} : { problem }) }
    }),
  )
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter(name => name.startsWith(prefix))
      .sort()
  } catch {
    return []
  }
}
