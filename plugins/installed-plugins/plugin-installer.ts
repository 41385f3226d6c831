import { isDeepStrictEqual } from 'node:util'
import type { Clock, Condition, Logger } from 'orch/sdk'
import { timestampOf } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import type { PluginHost } from 'orch/sdk/server'
import type { Installed, InstalledState } from './installed-state.js'
import { checkIntegrity, readPackage, stagePackage } from './package-contents.js'
import type { Plugin, PluginStatus } from './plugins/schema.js'

export interface InstallerParts {
  readonly host: PluginHost
  readonly plugins: ResourceClient<Plugin>
  /** Where packages are. */
  readonly folder: string
  /** Where copies of those that were loaded are kept. */
  readonly stage: string
  readonly clock: Clock
  readonly logger: Logger
  readonly state: InstalledState
}

/** Loads, replaces and unloads the plugin of an object, and says in its status what came of it. */
export class PluginInstaller {
  readonly #parts: InstallerParts

  constructor(parts: InstallerParts) {
    this.#parts = parts
  }

  async reconcile(name: string, object: Plugin | undefined): Promise<void> {
    const { state, logger } = this.#parts
    try {
      const isWanted = object !== undefined && object.metadata?.deletionTimestamp === undefined
      const failure = await this.#follow(name, isWanted ? object : undefined).then(
        () => undefined,
        (error: unknown) => error,
      )
      if (failure !== undefined) logger.warn('a plugin is not as its object asks for', { object: name, error: failure })
      if (object) await this.#writeStatus(name, object, failure)
    } finally {
      state.settle(name)
    }
  }

  async #follow(name: string, object: Plugin | undefined): Promise<void> {
    const { host, folder, stage, state } = this.#parts
    const running = state.byObject.get(name)
    if (!object?.spec || object.spec.enabled === false) {
      if (running) await host.unload(running.plugin)
      state.byObject.delete(name)
      return
    }
    const { spec } = object
    const contents = readPackage(folder, spec.package)
    checkIntegrity(contents, spec.integrity)
    const given: Record<string, unknown> = Object.assign({}, spec.options)
    const next = { version: contents.version, integrity: contents.hashes.sha256, options: JSON.stringify(given) }
    if (running && isSame(running, next)) return
    const entry = stagePackage(contents, stage)
    if (running) await host.replace(running.plugin, entry, given)
    const plugin = running?.plugin ?? (await host.load(entry, given))
    state.byObject.set(name, { plugin, ...next })
  }

  async #writeStatus(name: string, object: Plugin, failure: unknown): Promise<void> {
    const { plugins, state, host, clock } = this.#parts
    const running = state.byObject.get(name)
    const brings = running && host.find(running.plugin)?.brings
    const contributes = Object.entries(brings ?? {}).flatMap(([kind, names]) => names.map(each => `${kind}: ${each}`))
    const generation = object.metadata?.generation ?? 0
    const conditions = [
      running
        ? ['Loaded', 'True', 'Loaded', `Plugin "${running.plugin}" serves.`]
        : ['Loaded', 'False', object.spec?.enabled === false ? 'Disabled' : 'NotLoaded', 'Nothing of it is loaded.'],
      failure === undefined
        ? ['Healthy', 'True', 'AsAsked', 'What is loaded is what was asked for.']
        : ['Healthy', 'False', 'Failed', messageOf(failure)],
    ]
    const status: PluginStatus = {
      observedGeneration: generation,
      ...(running ? { plugin: running.plugin, integrity: running.integrity } : {}),
      ...(running?.version ? { version: running.version } : {}),
      ...(contributes.length > 0 ? { contributes } : {}),
      conditions: conditions.map(([type = '', value = '', reason = '', message = '']) => {
        const before = object.status?.conditions?.find(each => each.type === type)
        const lastTransitionTime = before?.status === value ? before.lastTransitionTime : timestampOf(clock.now())
        const condition: Condition = {
          type,
          status: value,
          reason,
          message,
          lastTransitionTime,
          observedGeneration: generation,
        }
        return condition
      }),
      ...(failure === undefined ? {} : { lastError: { message: messageOf(failure), stack: stackOf(failure) } }),
    }
    if (isDeepStrictEqual(status, object.status)) return
    await plugins.updateSubresource('status', { ...object, status })
  }
}

const isSame = (running: Installed, next: Omit<Installed, 'plugin'>): boolean =>
  running.integrity === next.integrity && running.options === next.options

/** Messages of boot problems are for the log, too, and may be long. */
const maxText = 4096
const messageOf = (failure: unknown): string =>
  (failure instanceof Error ? failure.message : String(failure)).slice(0, maxText)

/** Where the author's own code threw, if it did: the host's error only says that it has. */
function stackOf(failure: unknown): string {
  let deepest = failure
  while (deepest instanceof Error && deepest.cause instanceof Error) deepest = deepest.cause
  return (deepest instanceof Error ? (deepest.stack ?? '') : '').slice(0, maxText)
}
