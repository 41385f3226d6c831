import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { PluginPermissions } from 'orch/sdk'

/** The program of a plugin process, and the files it must be able to read to load itself. */
export interface PluginProgram {
  /** The file to run. */
  readonly file: string
  /** Files and folders of this package and its dependencies. */
  readonly needs: readonly string[]
}

/** The command line for a process with these permissions, in addition to reading its own package. */
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
    // Source maps, so that stack traces show the author's own code.
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

/** The environment variables that the plugin may see: those named in its permissions. */
export function environmentFor({ environment = [] }: PluginPermissions): Record<string, string> {
  const given = environment.flatMap(name => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(given)
}

/** In older versions of Node the permission model is experimental and has another flag. */
const permissionFlag = (): string =>
  process.allowedNodeEnvironmentFlags.has('--permission') ? '--permission' : '--experimental-permission'

/**
 * Paths as given and with links resolved; for folders, everything in them. Node 20 fails on paths that contain one
 * another.
 */
function allowed(paths: readonly string[]): string[] {
  const all = new Set(paths.flatMap(path => (existsSync(path) ? [path, realpathSync(path)] : [path])))
  const isWithin = (path: string) => [...all].some(other => path.startsWith(other + sep))
  return [...all]
    .filter(path => !isWithin(path))
    .map(path => (statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, '*') : path))
}

/** The node_modules folders that a module can import from. */
export function nodeModulesAbove(folder: string): string[] {
  const above = dirname(folder)
  const here = join(folder, 'node_modules')
  return [...(existsSync(here) ? [here] : []), ...(above === folder ? [] : nodeModulesAbove(above))]
}
