import { readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The compiled package: the folder that holds kernel/, sdk/ and plugins/. */
export const compiledRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/**
 * Imports a config or plugin, from a path or by package name as seen from `fromDir`. Compiled JavaScript is imported
 * as it is; jiti, which takes time to load, comes only for TypeScript, for package names, and for JavaScript in a
 * folder that cannot see this package (`npx orch serve` anywhere).
 */
export async function loadModule(pathOrName: string, fromDir: string): Promise<Record<string, unknown>> {
  const isPath = pathOrName.startsWith('/') || /^[A-Za-z]:[\\/]/.test(pathOrName)
  if (isPath && ['.js', '.mjs', '.cjs'].includes(extname(pathOrName))) {
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
