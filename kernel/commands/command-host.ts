import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { CommandContext, Logger } from 'orch/sdk'
import {
  type CommandHost,
  type LayerFinding,
  type OpenedStore,
  readContents,
  type ServeObserver,
  type ServerInspection,
  StorageError,
  type Store,
  type StorePlace,
  type StorePurpose,
} from 'orch/sdk/host'
import { builtInContributions } from '../boot/built-in-contributions.js'
import { folderProblems } from '../boot/data-folder.js'
import { defaultConfig, loadConfig } from '../boot/load-config.js'
import { packageRoot } from '../boot/load-module.js'
import { startChecks } from '../boot/start-checks.js'
import { BootError } from '../contracts/boot-errors.js'
import { realClock } from '../observe/real-clock.js'
import { KernelOptions, kernelName } from '../options/kernel-options.js'
import { declareOptions } from '../options/option-declarations.js'
import { parseFlags, peekFlag } from '../options/parse-flags.js'
import { optionsFor } from '../options/plugin-options.js'
import { Registry } from '../registry/registry.js'
import { countVersions } from '../storage/attributes.js'
import { openEngine, throughLayers } from '../storage/open-engine.js'
import { collectionsOf } from '../storage/versioned-store.js'
import { bootFromArgv, bootOrThrow } from './boot-from-argv.js'
import type { CommandLine } from './command-line.js'

/** The context of a command of a plugin. */
export const contextOf = (line: CommandLine): CommandContext => ({
  out: line.out,
  err: line.err,
  workingDir: line.workingDir,
  ask: line.ask,
  host: commandHost(line),
})

const commandHost = (line: CommandLine): CommandHost => ({
  packageRoot,
  program: line.program,
  environment: line.environment,
  serve: (flags, observer) => serveHere(line, flags, observer),
  inspect: flags => inspect(line, flags),
  examineStore: flags => examineStore(line, flags),
  locateStore: flags => locateStore(flags, line.workingDir),
  withStore: (flags, purpose, work) => withStore(line, flags, purpose, work),
})

/** `orch serve` for a command of a plugin, without the config of the working directory. */
async function serveHere(
  line: CommandLine,
  flags: readonly string[],
  { whenReady, log }: ServeObserver = {},
): Promise<number> {
  const words = ['--config', defaultConfig, ...flags]
  const { serve, serveCommand } = await import('./serve.js')
  const booted = await bootOrThrow({ ...line, words }, words, serveCommand.options)
  const stopped = new AbortController()
  const untilStopped = () =>
    Promise.race([line.untilStopped(), once(stopped.signal, 'abort').then(() => 'a call of stop')])
  const admissionControls = booted.registry.admissions.map(({ definition }) => definition.name)
  const known = { admissionControls, featureGates: booted.featureGates.names }
  return serve(
    { ...line, words, untilStopped },
    booted,
    ({ identity: _, ...server }) => whenReady?.({ ...server, ...known, stop: () => stopped.abort() }),
    log && { write: log },
  )
}

async function inspect(line: CommandLine, flags: readonly string[]): Promise<ServerInspection> {
  const { serveCommand } = await import('./serve.js')
  try {
    const booted = await bootFromArgv({ ...line, words: flags }, flags, serveCommand.options)
    const { kernelOptions, found, optionsOf, loaded, vendor } = booted
    const dataDir = resolve(line.workingDir, kernelOptions.dataDir ?? '')
    return {
      problems: [
        ...booted.problems,
        ...(kernelOptions.dataDir ? folderProblems(dataDir, vendor.name) : []),
        ...(booted.problems.length === 0 ? await startChecks(booted.registry) : []),
      ],
      configPath: loaded.path,
      options: Object.assign({}, ...found.map(({ definition }) => optionsOf(definition.name)), kernelOptions),
    }
  } catch (error) {
    // The config cannot be loaded, so its data folder is unknown.
    if (!(error instanceof BootError)) throw error
    const dataDir = peekFlag(flags, 'data-dir')
    return { problems: error.problems, configPath: '', options: dataDir === undefined ? {} : { dataDir } }
  }
}

/** Engines that need no plugin; their stores are in the data folder. */
function embeddedEngine(name: string) {
  const registry = new Registry()
  builtInContributions(registry.registrarFor(kernelName))
  return registry.storages.find(({ definition }) => definition.name === name)?.definition
}

/** An engine of a plugin may have flags of that plugin, which are parsed only when it is loaded. */
async function locateStore(flags: readonly string[], workingDir: string): Promise<StorePlace> {
  const named = peekFlag(flags, 'storage-engine')
  if (named !== undefined && !embeddedEngine(named)) return { engine: named }
  const isFolderGiven = peekFlag(flags, 'data-dir') !== undefined
  const { config } = isFolderGiven ? { config: {} } : await loadConfig(peekFlag(flags, 'config'), workingDir)
  const { dataDir, storageEngine } = config as { dataDir?: unknown; storageEngine?: unknown }
  if (typeof storageEngine === 'string' && !embeddedEngine(storageEngine)) return { engine: storageEngine }
  const owner = { name: kernelName, options: KernelOptions }
  const known = ['config', 'dataDir', 'storageEngine']
  const wanted = [...declareOptions([owner]).declarations.values()].filter(({ key }) => known.includes(key))
  const given = parseFlags(flags, wanted)
  const checked = optionsFor(owner, { given: {}, config: { dataDir, storageEngine }, flags: given.values })
  const problems = given.problems.length > 0 ? given.problems : checked.problems
  if (problems.length > 0) throw new BootError(problems)
  const options = checked.options as KernelOptions
  const maintenance = await embeddedEngine(options.storageEngine)?.maintain?.(options.dataDir)
  return { engine: options.storageEngine, ...(maintenance ? { maintenance } : {}) }
}

async function examineStore(line: CommandLine, flags: readonly string[]): Promise<readonly LayerFinding[]> {
  const { serveCommand } = await import('./serve.js')
  const { kernelOptions, registry, vendor } = await bootOrThrow(line, flags, serveCommand.options)
  const context = { clock: realClock, logger: warningLogger(() => {}) }
  const examine = async (store?: Store): Promise<readonly LayerFinding[]> => {
    const found = registry.storeLayers.map(({ definition }) => definition.examine?.(store, context) ?? [])
    return (await Promise.all(found)).flat()
  }
  const { storageEngine, dataDir } = kernelOptions
  const examineOpened = async (): Promise<readonly LayerFinding[]> => {
    const store = await openEngine(registry.storages, kernelOptions, Date.now, () => {})
    try {
      return [...(await contentsFindings(store, vendor.name)), ...(await examine(store))]
    } finally {
      await store.close()
    }
  }
  if (embeddedEngine(storageEngine) === undefined) {
    const engine = registry.storages.find(({ definition }) => definition.name === storageEngine)?.definition
    if (engine?.examine === undefined) return [notChecked(storageEngine), ...(await examine())]
    const found = await engine.examine()
    const isUsable = found.every(({ grade }) => grade !== 'wrong')
    return [...found, ...(isUsable ? await examineOpened() : await examine())]
  }
  if (!existsSync(join(dataDir, 'store'))) return await examine()
  const { lockFolder } = await import('../storage/folder-lock.js')
  const release = await lockFolder(dataDir, { role: 'reader', what: 'orch doctor' })
  try {
    return await examineOpened()
  } finally {
    await release()
  }
}

const notChecked = (engine: string): LayerFinding => ({
  grade: 'fine',
  what: `the store is kept by the engine "${engine}", which was not checked`,
})

/** Problems in the metadata of the store: another vendor, a later format, an unfinished operation. */
async function contentsFindings(store: Store, vendor: string): Promise<LayerFinding[]> {
  const [{ contents }, { problemsOf }] = await Promise.all([readContents(store), import('../types/stored-versions.js')])
  const problems = contents ? problemsOf(contents, vendor) : []
  return problems.map(({ code, message }) => ({ grade: 'wrong', what: `${message} (${code})` }))
}

async function withStore<T>(
  line: CommandLine,
  flags: readonly string[],
  { what, role, mayCreate = false }: StorePurpose,
  work: (opened: OpenedStore) => Promise<T>,
): Promise<T> {
  const { kernelOptions, registry, vendor } = await bootOrThrow(line, flags)
  const { storageEngine: engine, dataDir } = kernelOptions
  const isEmbedded = embeddedEngine(engine) !== undefined
  // Opening would create an empty one.
  if (!mayCreate && isEmbedded && !existsSync(join(dataDir, 'store'))) {
    throw new StorageError('unavailable', `there is no store in ${dataDir}`)
  }
  const { lockFolder } = await import('../storage/folder-lock.js')
  const release = isEmbedded ? await lockFolder(dataDir, { role, what }) : async () => {}
  try {
    const warn = (message: string) => line.err(`orch: ${message}\n`)
    const stored = await openEngine(registry.storages, kernelOptions, Date.now, warn)
    const store = await throughLayers(stored, registry.storeLayers, { clock: realClock, logger: warningLogger(warn) })
    const storedTypes = async () => {
      const [{ ResourceTypes }, { RuntimeConfig }] = await Promise.all([
        import('../types/resource-types.js'),
        import('../types/runtime-config.js'),
      ])
      return new ResourceTypes(registry, new RuntimeConfig({})).stored()
    }
    const opened: OpenedStore = {
      engine,
      store,
      stored,
      async versionCounts() {
        const counts = new Map<string, ReadonlyMap<string, number>>()
        for await (const collection of collectionsOf(store)) {
          counts.set(collection, await countVersions(store, collection))
        }
        return counts
      },
      async plan() {
        const [types, { planMigration }] = await Promise.all([
          storedTypes(),
          import('../resources/migrate-versions.js'),
        ])
        return await planMigration(store, types, vendor.name)
      },
      async migrate(progress) {
        const [types, { migrateVersions }] = await Promise.all([
          storedTypes(),
          import('../resources/migrate-versions.js'),
        ])
        return await migrateVersions({ store, types, vendor: vendor.name, progress })
      },
    }
    return await work(opened).finally(() => store.close())
  } finally {
    await release()
  }
}

/** Commands print warnings and errors only. */
function warningLogger(warn: (message: string) => void): Logger {
  const write = (message: string, { error, ...fields }: Record<string, unknown> = {}) => {
    const details = Object.entries(fields).map(([name, value]) => `${name}: ${String(value)}`)
    const why = error instanceof Error ? [error.message] : []
    warn([message, ...details, ...why].join('; '))
  }
  const logger: Logger = { debug() {}, info() {}, warn: write, error: write, child: () => logger }
  return logger
}
