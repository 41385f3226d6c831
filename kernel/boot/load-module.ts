import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, extname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The compiled package: the folder that holds kernel/, sdk/ and plugins/, whether its modules are bundled or not. */
export const compiledRoot = folderAbove(dirname(fileURLToPath(import.meta.url)), join('sdk', 'index.js'))
/** The folder of package.json. */
export const packageRoot = folderAbove(compiledRoot, 'package.json')

/** The nearest folder, from here upwards, that holds a file. */
function folderAbove(folder: string, file: string): string {
  if (existsSync(join(folder, file)) || folder === dirname(folder)) return folder
  return folderAbove(dirname(folder), file)
}
/** The modules of this package that are no files of their own, by path below its root: the bundle puts them here. */
export const bundledModules = new Map<string, () => Record<string, unknown>>()
/** In a bundle, whatever else is loaded must be told where our copy of the sdk is: Node would find the other one. */
const isBundled = basename(compiledRoot) === 'bundled'

/**
 * Imports a config or plugin, from a path or by package name as seen from `fromDir`. Compiled JavaScript is imported
 * as it is; jiti, which takes time to load, comes only for TypeScript, for package names, and for JavaScript in a
 * folder that cannot see this package (`npx orch serve` anywhere).
 */
export async function loadModule(pathOrName: string, fromDir: string): Promise<Record<string, unknown>> {
  const isPath = pathOrName.startsWith('/') || /^[A-Za-z]:[\\/]/.test(pathOrName)
  const bundled = isPath ? bundledModules.get(relative(compiledRoot, pathOrName)) : undefined
  if (bundled) return bundled()
  if (isPath && !isBundled && ['.js', '.mjs', '.cjs'].includes(extname(pathOrName))) {
    try {
      return await import(pathToFileURL(pathOrName).href)
    } catch (thrown) {
      if (!cannotSeeThisPackage(thrown)) throw thrown
    }
  }
  const { createJiti } = await import('jiti')
  const jiti = createJiti(pathToFileURL(join(fromDir, 'orch.config.ts')).href, {
    alias: ownModules(),
    // jiti's default is a folder in the shared temp directory, where another user could leave code for us to run.
    fsCache: join(homedir(), '.cache', 'orch'),
    interopDefault: false,
  })
  return await jiti.import<Record<string, unknown>>(pathOrName)
}

const cannotSeeThisPackage = (thrown: unknown): boolean =>
  (thrown as NodeJS.ErrnoException | undefined)?.code === 'ERR_MODULE_NOT_FOUND' &&
  /Cannot find package 'orch'/.test((thrown as Error).message)

/** This package's public doors, so that a loaded file shares our copy: service tokens are compared by identity. */
function ownModules(): Record<string, string> {
  const doors: Record<string, string> = {
    'orch/sdk/testing': join(compiledRoot, 'sdk', 'testing', 'index.js'),
    'orch/sdk': join(compiledRoot, 'sdk', 'index.js'),
  }
  for (const name of pluginFolders()) doors[`orch/plugins/${name}`] = join(compiledRoot, 'plugins', name, 'plugin.js')
  return doors
}

function pluginFolders(): string[] {
  try {
    return readdirSync(join(compiledRoot, 'plugins'), { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(entry => entry.name)
  } catch {
    return []
  }
}
