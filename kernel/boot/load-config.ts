import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { OrchConfig, PluginEntry } from 'orch/sdk'
import { BootError, errorMessage, problem } from '../contracts/boot-errors.js'
import { compiledRoot, loadModule, packageRoot } from './load-module.js'

export interface LoadedConfig {
  readonly config: OrchConfig
  /** Its origin, for messages. */
  readonly path: string
  /** Plugin paths and package names in the config are relative to this folder. */
  readonly dir: string
}

const fileNames = ['orch.config.ts', 'orch.config.mts', 'orch.config.mjs', 'orch.config.js', 'orch.config.cjs']

/** Loads the named config file, or the one in the folder, or the default configuration that comes with this package. */
export async function loadConfig(named: string | undefined, workingDir: string): Promise<LoadedConfig> {
  const path = named === undefined ? findConfig(workingDir) : resolve(workingDir, named)
  if (!existsSync(path)) throw new BootError([problem('ORCH_CONFIG_MISSING', { path: named ?? path })])
  let loaded: Record<string, unknown>
  try {
    loaded = await loadModule(compiledTwin(path) ?? path, dirname(path))
  } catch (thrown) {
    throw new BootError([problem('ORCH_CONFIG_LOAD_FAILED', { path, why: errorMessage(thrown) }, thrown)])
  }
  const why = whyNoConfig(loaded['default'])
  if (why) throw new BootError([problem('ORCH_CONFIG_INVALID', { path, why })])
  return { config: loaded['default'] as OrchConfig, path, dir: dirname(path) }
}

/** The plugins of the default configuration: all that come with this package. */
export async function defaultPlugins(): Promise<readonly PluginEntry[]> {
  return (await loadConfig(defaultConfig, packageRoot)).config.plugins
}

/** Why a value is not a config; undefined if it is one. */
export function whyNoConfig(value: unknown): string | undefined {
  if (value === undefined) return 'it has no default export'
  if (typeof value !== 'object' || value === null) return 'its default export is not an object'
  return Array.isArray((value as OrchConfig).plugins) ? undefined : 'it has no list of plugins'
}

const ownConfig = join(packageRoot, 'orch.config.ts')
/** The default configuration of this package, ready to be loaded. */
export const defaultConfig = join(compiledRoot, 'orch.config.js')

function findConfig(workingDir: string): string {
  const found = fileNames.map(name => join(workingDir, name)).find(path => existsSync(path))
  return found ?? defaultConfig
}

/** The default configuration is compiled with the package; unless it was edited since, that saves transpiling it. */
function compiledTwin(path: string): string | undefined {
  if (path !== ownConfig || !existsSync(defaultConfig)) return undefined
  return statSync(defaultConfig).mtimeMs >= statSync(ownConfig).mtimeMs ? defaultConfig : undefined
}
