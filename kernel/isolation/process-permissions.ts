import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { PluginPermissions } from 'orch/sdk'

/** What the program of a plugin process is, and what it may read to load itself. */
export interface PluginProgram {
  /** The file to run. */
  readonly file: string
  /** Files and folders of this package and of what it depends on. */
  readonly needs: readonly string[]
}

/** The command line of a process that may do what these permissions say, beside reading its own package. */
export function processArguments(
  program: PluginProgram,
  ownPath: string,
  permissions: PluginPermissions,
  memoryMegabytes: number,
): string[] {
  const { read = [], write = [] } = permissions.files ?? {}
  const readable = [...program.needs, ...nodeModulesAbove(ownPath), ownPath, ...read, ...write]
  return [
    `--max-old-space-size=${memoryMegabytes}`,
    // A stack of the author's own code, whatever it was compiled from.
    '--enable-source-maps',
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    permissionFlag(),
    ...allowed(readable).map(path => `--allow-fs-read=${path}`),
    ...allowed(write).map(path => `--allow-fs-write=${path}`),
    ...(permissions.childProcesses ? ['--allow-child-process'] : []),
    program.file,
  ]
}

/** The variables that a plugin sees: those that its permissions name. */
export function environmentFor({ environment = [] }: PluginPermissions): Record<string, string> {
  const given = environment.flatMap(name => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(given)
}

/** Node had the permission model as an experiment first. */
const permissionFlag = (): string =>
  process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission'

/** Paths as they are named and as they really are; of folders, everything in them. Node 20 fails on paths that contain one another. */
function allowed(paths: readonly string[]): string[] {
  const all = new Set(paths.flatMap(path => (existsSync(path) ? [path, realpathSync(path)] : [path])))
  const isWithin = (path: string) => [...all].some(other => path.startsWith(other + sep))
  return [...all]
    .filter(path => !isWithin(path))
    .map(path => (statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, '*') : path))
}

/** Folders of packages that a module can import from. */
export function nodeModulesAbove(folder: string): string[] {
  const above = dirname(folder)
  const here = join(folder, 'node_modules')
  return [...(existsSync(here) ? [here] : []), ...(above === folder ? [] : nodeModulesAbove(above))]
}
