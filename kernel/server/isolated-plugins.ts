import { setTimeout as sleep } from 'node:timers/promises'
import { type Logger, type Metrics, services } from 'orch/sdk'
import type { HostedPlugin, PluginHealth } from 'orch/sdk/proposed'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import { permissionsOf } from '../boot/check-permissions.js'
import type { DiscoveredPlugin } from '../boot/discover-plugins.js'
import type { IsolatedPlugin } from '../isolation/isolated-plugin.js'
import { IsolationMetrics } from '../isolation/isolation-metrics.js'
import type { SharedServices } from '../isolation/service-calls.js'
import { moduleLogOf } from '../wasm/define-wasm-plugin.js'
import type { Assembly } from './assemble.js'
import { loopUser, withEveryRight } from './server-loops.js'

export interface IsolationParts {
  readonly booted: BootedPlugins
  readonly assembly: Pick<Assembly, 'transportAs' | 'recordViolation' | 'root'>
  readonly logger: Logger
  readonly metrics: Metrics
}

/** A replaced process ends when no request has used it for this long: a request may call it several times, with pauses. */
const idleBeforeCloseMs = 500
/** A replaced process ends after this time at the latest. */
const maxRetirementMs = 10_000
const idleCheckIntervalMs = 50

type HealthListener = (plugin: string, health: PluginHealth) => void

/** The plugins of a server that run in processes of their own. */
export class IsolatedPlugins {
  readonly #parts: IsolationParts
  readonly #metrics: IsolationMetrics
  readonly #listeners = new Set<HealthListener>()
  readonly #stopReports = new Map<IsolatedPlugin, () => void>()
  /** Replaced processes that still serve the requests that started with them. */
  readonly #retiring = new Set<IsolatedPlugin>()
  #areRolesGranted = false
  #isClosed = false

  constructor(parts: IsolationParts) {
    this.#parts = parts
    this.#metrics = new IsolationMetrics(parts.metrics)
  }

  /** Start tasks have run: accounts of plugins have their roles. */
  rolesGranted(): void {
    this.#areRolesGranted = true
  }

  onHealth(listener: HealthListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Makes a plugin part of this server, if it is isolated. */
  attach({ definition, isolated }: DiscoveredPlugin): void {
    const { booted, assembly, logger } = this.#parts
    isolated?.attach({
      logger,
      metrics: this.#metrics,
      audit: (plugin, violation) => assembly.recordViolation(plugin, violation),
      transportFor: account => assembly.transportAs(loopUser(booted, account)),
      shared: this.#shared(),
    })
    const report = (health: PluginHealth) => {
      for (const listener of this.#listeners) listener(definition.name, health)
    }
    if (isolated) this.#stopReports.set(isolated, isolated.onHealth(report))
    moduleLogOf(definition)?.onHealth(report)
  }

  #shared(): SharedServices {
    const { booted, assembly } = this.#parts
    return {
      caches: assembly.root.resolve(services.caches),
      reader: assembly.root.resolve(services.reader),
      resources: assembly.root.resolve(services.resources),
      authorizer: assembly.root.resolve(services.authorizer),
      admissionConfiguration: booted.admissionConfiguration,
      userOf: account =>
        this.#areRolesGranted ? loopUser(booted, account) : withEveryRight(loopUser(booted, account)),
    }
  }

  /** Isolation, permissions and health of a plugin. */
  describe({ definition, isolated }: DiscoveredPlugin): Pick<HostedPlugin, 'isolation' | 'permissions' | 'health'> {
    const module = moduleLogOf(definition)
    const health = (isolated ?? module)?.health
    return {
      isolation: isolated ? 'worker' : module ? 'wasm' : 'in-process',
      permissions: permissionsOf(definition, this.#parts.booted.registry),
      ...(health ? { health } : {}),
    }
  }

  /** Makes a change, then ends the process that is no longer needed: the old one, or the new one if the change fails. */
  async exchange(
    before: DiscoveredPlugin | undefined,
    after: DiscoveredPlugin | undefined,
    change: () => Promise<void>,
  ): Promise<void> {
    try {
      await change()
    } catch (thrown) {
      await after?.isolated?.close()
      throw thrown
    }
    if (before?.isolated) await this.#retire(before.isolated)
  }

  /** Ends a process that new requests do not use: at once, or in the background when the requests that use it are done. */
  async #retire(isolated: IsolatedPlugin): Promise<void> {
    this.#stopReports.get(isolated)?.()
    this.#stopReports.delete(isolated)
    if (isolated.idleMs >= idleBeforeCloseMs) return isolated.close()
    this.#retiring.add(isolated)
    void this.#closeWhenIdle(isolated)
  }
  async #closeWhenIdle(isolated: IsolatedPlugin): Promise<void> {
    for (
      let waited = 0;
      waited < maxRetirementMs && isolated.idleMs < idleBeforeCloseMs && !this.#isClosed;
      waited += idleCheckIntervalMs
    )
      await sleep(idleCheckIntervalMs, undefined, { ref: false })
    this.#retiring.delete(isolated)
    await isolated.close()
  }

  /** Ends the processes that are still retiring. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#retiring].map(isolated => isolated.close()))
  }
}
