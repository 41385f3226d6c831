import { existsSync, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, extname, isAbsolute, join, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as main from 'orch/sdk'
import * as admission from 'orch/sdk/admission'
import * as client from 'orch/sdk/client'
import * as controllers from 'orch/sdk/controllers'
import * as core from 'orch/sdk/core'
import * as expressions from 'orch/sdk/expressions'
import * as files from 'orch/sdk/files'
import * as host from 'orch/sdk/host'
import * as identity from 'orch/sdk/identity'
import * as proposed from 'orch/sdk/proposed'
import * as server from 'orch/sdk/server'
import * as validation from 'orch/sdk/validation'
import { nodeModulesAbove } from '../isolation/process-permissions.js'
import { loadWasmPlugin } from '../wasm/load-wasm-plugin.js'
import { withPlace } from './failure-place.js'

/** The entry points of the sdk besides the main one. */
const shelves = {
  admission,
  client,
  controllers,
  core,
  expressions,
  files,
  host,
  identity,
  proposed,
  server,
  validation,
}

/** The compiled package: the folder that holds kernel/, sdk/ and plugins/, whether its modules are bundled or not. */
export const compiledRoot = folderAbove(dirname(fileURLToPath(import.meta.url)), join('sdk', 'index.js'))
/** The folder of this package, where its default configuration is. */
export const packageRoot = folderAbove(compiledRoot, 'orch.config.ts')

/** The nearest folder, from here upwards, that holds a file. */
function folderAbove(folder: string, file: string): string {
  if (isThere(join(folder, file)) || folder === dirname(folder)) return folder
  return folderAbove(dirname(folder), file)
}
/** In a plugin process, Node 20 throws for a path that may not be read. Folders on the way up are among those. */
function isThere(path: string): boolean {
  try {
    return existsSync(path)
  } catch {
    return false
  }
}

export type LoadedModule = Readonly<Record<string, unknown>>
/** The modules of this package that are not separate files, by path below its root: set by the bundle. */
export const bundledModules = new Map<string, () => LoadedModule>()

/** Node's own import. The bundle has another file do it, see tools/bundled/main.js. */
let importNatively = (url: string): Promise<LoadedModule> => import(url)
export function importWith(importer: typeof importNatively): void {
  importNatively = importer
}

let isReloadable = false
/** From now on, modules outside this package are loaded so that `forgetModules` can evict them. */
export function loadReloadably(): void {
  isReloadable = true
}

/** There is no module of that name. */
export class ModuleNotFound extends Error {}

/**
 * Imports a config or plugin, from a path or by package name as seen from `fromDir`. JavaScript is imported as it is; jiti,
 * which takes time to load, comes for TypeScript, to find packages, and for JavaScript that Node alone cannot import: in a
 * folder that does not see this package (`npx orch serve` anywhere), or beside TypeScript that it imports.
 */
export async function loadModule(pathOrName: string, fromDir: string): Promise<LoadedModule> {
  const file = await fileOf(pathOrName, fromDir)
  const bundled = bundledModules.get(relative(compiledRoot, file).split(sep).join('/'))
  if (bundled) return bundled()
  if (extname(file) === '.wasm') return { default: await loadWasmPlugin(file) }
  shareSdk()
  process.setSourceMapsEnabled(true)
  const isOwn = file.startsWith(compiledRoot + sep)
  if ((isReloadable && !isOwn) || !['.js', '.mjs', '.cjs'].includes(extname(file))) return throughJiti(file, fromDir)
  try {
    return withoutWrapping(await importNatively(pathToFileURL(file).href))
  } catch (thrown) {
    if (!mayJitiHelp(thrown)) throw withPlace(file, thrown)
    return throughJiti(file, fromDir)
  }
}

/** The file of a module that `loadModule` would load. */
export async function fileOf(pathOrName: string, fromDir: string): Promise<string> {
  return ownModules()[pathOrName] ?? (isFile(pathOrName) ? pathOrName : await findModule(pathOrName, fromDir))
}

/** The program that runs an isolated plugin. It may read this package, and nothing else in its folder. */
export const pluginProgram = () => ({
  file: join(compiledRoot, 'kernel', 'plugin-process', 'main.js'),
  needs: [
    compiledRoot,
    ...['package.json', 'orch.config.ts'].map(name => join(packageRoot, name)),
    ...nodeModulesAbove(packageRoot),
  ],
})

/** Plugins that find another copy of the sdk get ours, see tools/bundled/sdk-door.cjs. In a bundle, that file has already done it. */
function shareSdk(): void {
  const first = Symbol.for('orch.sdk')
  if (first in globalThis) return
  Object.defineProperty(globalThis, first, { value: Object.assign({}, ...Object.values(shelves), main) })
}

/** What CommonJS exports is the default export for Node; where it was compiled from a module, that one's exports count. */
function withoutWrapping(loaded: LoadedModule): LoadedModule {
  const { default: main } = loaded
  return typeof main === 'object' && main !== null && '__esModule' in main ? (main as LoadedModule) : loaded
}

const helpedCodes = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_UNKNOWN_FILE_EXTENSION', 'ERR_REQUIRE_ESM']
function mayJitiHelp(thrown: unknown): boolean {
  const { code, message } = thrown as NodeJS.ErrnoException
  if (code === undefined || !helpedCodes.includes(code)) return false
  // jiti does not find packages that Node does not find, except this one.
  const [, name] = /Cannot find (?:package|module) '([^']+)'/.exec(message) ?? []
  return name === undefined || isAbsolute(name) || name.startsWith('.') || name.split('/')[0] === 'orch'
}

async function findModule(pathOrName: string, fromDir: string): Promise<string> {
  const found = (await jitiIn(fromDir)).esmResolve(pathOrName, { try: true })
  if (found === undefined) throw new ModuleNotFound(whyNotFound(pathOrName, fromDir))
  return fileURLToPath(found)
}

const whyNotFound = (pathOrName: string, fromDir: string): string =>
  isAbsolute(pathOrName) ? `there is no file ${pathOrName}` : `no such package is installed in ${fromDir} or above`

async function throughJiti(file: string, fromDir: string): Promise<LoadedModule> {
  const jiti = await jitiIn(fromDir)
  try {
    return withoutWrapping(await jiti.import<LoadedModule>(file))
  } catch (thrown) {
    throw withPlace(file, thrown)
  }
}

async function jitiIn(fromDir: string) {
  const { createJiti } = await import('jiti')
  return createJiti(pathToFileURL(join(fromDir, 'orch.config.ts')).href, {
    alias: ownModules(),
    // jiti's default is a folder in the shared temp directory, where another user could plant code.
    // The process of an isolated plugin may write nothing.
    fsCache: 'permission' in process ? false : join(homedir(), '.cache', 'orch'),
    interopDefault: false,
  })
}

/** The public entry points of this package, so that a loaded file shares our copy wherever it is. */
function ownModules(): Readonly<Record<string, string>> {
  const doors: Record<string, string> = {
    'orch/sdk/testing': join(compiledRoot, 'sdk', 'testing', 'index.js'),
    ...Object.fromEntries(
      Object.keys(shelves).map(name => [`orch/sdk/${name}`, join(compiledRoot, 'sdk', name, 'index.js')]),
    ),
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

const isFile = (path: string): boolean =>
  isAbsolute(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true
