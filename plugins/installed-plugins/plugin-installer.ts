import type { KeyObject } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { ApiError, type Clock, type IsolationSettings, isolationGrades, type Logger } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import type { PluginHost } from 'orch/sdk/proposed'
import type { ConformanceChecks } from './conformance-checks.js'
import type { Installed, InstalledState } from './installed-state.js'
import { checkIntegrity, readPackage, stagePackage } from './package-contents.js'
import { checkSignature } from './package-signature.js'
import { type Outcome, statusAfter } from './plugin-status.js'
import type { Plugin } from './plugins/schema.js'

export interface InstallerParts {
  readonly host: PluginHost
  readonly plugins: ResourceClient<Plugin>
  /** The folder that contains the packages. */
  readonly folder: string
  /** Where copies of loaded packages are kept. */
  readonly stage: string
  /** Trusted signing keys; if there are none, signatures are not checked. */
  readonly signingKeys: readonly KeyObject[]
  /** Resource limits of a plugin in a separate process. */
  readonly isolation: Omit<IsolationSettings, 'grade'>
  readonly clock: Clock
  readonly logger: Logger
  readonly state: InstalledState
  readonly checks: ConformanceChecks
}

/** How often the health of plugins is checked. */
const healthIntervalMs = 10_000
/** Minimum time between two status writes for one plugin. */
const minStatusIntervalMs = 100

/**
 * Loads, replaces and unloads the plugins of objects in this process, and reports the result in their status. Every
 * process of every server does this independently; the result depends only on the objects, not on the order
 * of changes.
 */
export class PluginInstaller {
  readonly #parts: InstallerParts
  /** Plugins whose health is being written. */
  readonly #writing = new Map<string, { readonly isAgain: boolean }>()

  constructor(parts: InstallerParts) {
    this.#parts = parts
  }

  /** Handles one object, then retries those that failed before: they may have waited for it. */
  async reconcile(
    name: string,
    find: (name: string) => Plugin | undefined,
  ): Promise<{ requeueAfterMs: number } | void> {
    const { state } = this.#parts
    try {
      const hasChanged = await this.#reconcileOne(name, find(name))
      if (hasChanged) await this.#retryOthers(name, find)
      // Health is polled.
      const running = state.byObject.get(name)
      if (!running) return
      const object = find(name)
      if (object && !state.failures.has(name)) await this.#parts.checks.begin(object, running.entry)
      return { requeueAfterMs: healthIntervalMs }
    } finally {
      state.settle(name)
    }
  }

  /** Objects that failed before may have waited for this one. */
  async #retryOthers(name: string, find: (name: string) => Plugin | undefined): Promise<void> {
    const { state } = this.#parts
    for (const failed of [...state.failures.keys()]) {
      if (failed === name) continue
      state.seen.delete(failed)
      await this.#reconcileOne(failed, find(failed))
    }
  }

  /** Whether the plugins of this process changed. */
  async #reconcileOne(name: string, object: Plugin | undefined): Promise<boolean> {
    const { state, logger } = this.#parts
    const before = state.byObject.get(name)
    const isWanted = object !== undefined && object.metadata?.deletionTimestamp === undefined
    // Every process writes the status; a status change alone is no reason to read the package again.
    const requested = isWanted ? requestKeyOf(object) : ''
    if (state.seen.get(name) !== requested) {
      try {
        await this.#follow(name, isWanted ? object : undefined)
        state.failures.delete(name)
      } catch (failure) {
        state.failures.set(name, failure)
        logger.warn('a plugin could not be loaded as specified', { object: name, error: failure })
      }
      state.seen.set(name, requested)
    }
    const hasChanged = state.byObject.get(name) !== before
    if (object) await this.#writeStatus(name, object, hasChanged)
    else for (const known of [state.failures, state.seen]) known.delete(name)
    return hasChanged
  }

  /** Writes the health of an isolated plugin to the status of its object. Frequent changes are throttled. */
  async healthChanged(plugin: string): Promise<void> {
    const isBeingWritten = this.#writing.has(plugin)
    this.#writing.set(plugin, { isAgain: isBeingWritten })
    if (isBeingWritten) return
    do {
      this.#writing.set(plugin, { isAgain: false })
      await this.#writeHealth(plugin)
      await setTimeout(minStatusIntervalMs, undefined, { ref: false })
    } while (this.#writing.get(plugin)?.isAgain)
    this.#writing.delete(plugin)
  }

  async #writeHealth(plugin: string): Promise<void> {
    const { state, plugins, logger } = this.#parts
    const [name] = [...state.byObject].find(([, installed]) => installed.plugin === plugin) ?? []
    if (name === undefined) return
    try {
      const object = await plugins.find(name)
      if (object) await this.#writeStatus(name, object, false)
    } catch (error) {
      logger.warn('the status of a plugin cannot be written', { object: name, error })
    }
  }

  async #follow(name: string, object: Plugin | undefined): Promise<void> {
    const { host, folder, stage, signingKeys, state } = this.#parts
    const running = state.byObject.get(name)
    if (!object?.spec || object.spec.enabled === false) {
      if (running) await host.unload(running.plugin)
      state.byObject.delete(name)
      return
    }
    const { spec } = object
    const contents = readPackage(folder, spec.package)
    checkIntegrity(contents, spec.integrity)
    checkSignature(contents.hashes, spec.signature, signingKeys)
    const given: Record<string, unknown> = Object.assign({}, spec.options)
    const grade = isolationGrades.find(each => each === spec.isolation) ?? 'in-process'
    const next = {
      version: contents.version,
      integrity: contents.hashes.sha256,
      entry: stagePackage(contents, stage),
      options: JSON.stringify({ given, grade }),
      place: `${object.metadata?.creationTimestamp} ${name}`,
    }
    if (running && isSame(running, next)) return
    const permissions = acceptedFor(object)
    const isolation = { ...this.#parts.isolation, grade }
    const entry = { plugin: next.entry, isolation, ...(permissions ? { permissions } : {}) }
    if (running) await host.replace(running.plugin, entry, given)
    const before = state.nextAfter(next.place)
    const plugin = running?.plugin ?? (await host.load(entry, given, before === undefined ? {} : { before }))
    state.byObject.set(name, { plugin, ...next })
  }

  /** Other processes write the same status, so it is read again after each conflict. */
  async #writeStatus(name: string, found: Plugin, hasChanged: boolean): Promise<void> {
    const { plugins, state, host, clock } = this.#parts
    const running = state.byObject.get(name)
    const hosted = running && host.find(running.plugin)
    const outcome: Outcome = {
      running,
      hasChanged,
      hosted,
      contributes: Object.entries(hosted?.brings ?? {}).flatMap(([kind, names]) =>
        names.map(each => `${kind}: ${each}`),
      ),
      failure: state.failures.get(name),
      problems: running ? await host.problemsOf(running.plugin) : [],
    }
    for (let object = found; ; ) {
      // The object was replaced, and its successor is handled separately.
      if (requestKeyOf(object) !== requestKeyOf(found)) return
      const status = statusAfter(object, outcome, clock.now())
      if (!status) return
      try {
        return void (await plugins.updateSubresource('status', { ...object, status }))
      } catch (error) {
        if (!(error instanceof ApiError) || error.code === 404) return
        if (error.code !== 409) throw error
      }
      const now = await plugins.find(name)
      if (!now) return
      object = now
    }
  }
}

/**
 * The accepted permissions: those of the previous version and those accepted since; all of them for a first version.
 */
function acceptedFor({ spec, status }: Plugin): readonly string[] | undefined {
  return status?.permissions === undefined ? spec?.permissions : [...status.permissions, ...(spec?.permissions ?? [])]
}

const requestKeyOf = ({ metadata: { uid, generation, annotations, labels, deletionTimestamp } = {} }: Plugin): string =>
  JSON.stringify([uid, generation, annotations, labels, deletionTimestamp])

const isSame = (running: Installed, next: Omit<Installed, 'plugin'>): boolean =>
  running.integrity === next.integrity && running.options === next.options
