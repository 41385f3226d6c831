import { type Logger, type Metrics, services } from 'orch/sdk'
import type { HostedPlugin, PluginHealth } from 'orch/sdk/proposed'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import { permissionsOf } from '../boot/check-permissions.js'
import type { DiscoveredPlugin } from '../boot/discover-plugins.js'
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

type HealthListener = (plugin: string, health: PluginHealth) => void

/** The plugins of a server that run in processes of their own. */
export class IsolatedPlugins {
  readonly #parts: IsolationParts
  readonly #metrics: IsolationMetrics
  readonly #listeners = new Set<HealthListener>()
  #areRolesGranted = false

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
    isolated?.onHealth(report)
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

  /** What is known of a plugin beside what it brings. */
  describe({ definition, isolated }: DiscoveredPlugin): Pick<HostedPlugin, 'isolation' | 'permissions' | 'health'> {
    const module = moduleLogOf(definition)
    const health = (isolated ?? module)?.health
    return {
      isolation: isolated ? 'worker' : module ? 'wasm' : 'in-process',
      permissions: permissionsOf(definition, this.#parts.booted.registry),
      ...(health ? { health } : {}),
    }
  }

  /** Makes a change. Of two processes for one plugin the one ends that is not needed: the old one, or if that fails the new one. */
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
    await before?.isolated?.close()
  }
}
