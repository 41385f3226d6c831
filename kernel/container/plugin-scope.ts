import type { Needs, Resolved, ServiceToken } from 'orch/sdk'
import { serviceNameOf } from 'orch/sdk/host'
import type { DependencyContainer } from 'tsyringe'
import { BootError, problem } from '../contracts/boot-errors.js'

/** Instances that replace those of the container, by token. */
export type Replacements = ReadonlyMap<ServiceToken<unknown>, unknown>

/**
 * The services of one plugin: every service of the container, and a logger of its own.
 * Plugin authors never see it: they name tokens under `needs` and receive the instances.
 */
export class PluginScope {
  readonly plugin: string
  readonly #container: DependencyContainer

  constructor(plugin: string, container: DependencyContainer) {
    this.plugin = plugin
    this.#container = container
  }

  /** The instances that a definition needs, some of them replaced. Call it once per definition and keep the result. */
  resolve<N extends Needs>(needs: N | undefined, instead: Replacements = new Map()): Resolved<N> {
    const resolved: Record<string, unknown> = {}
    for (const [name, token] of Object.entries(needs ?? {})) {
      if (instead.has(token)) {
        resolved[name] = instead.get(token)
        continue
      }
      if (!this.#container.isRegistered(token as symbol, true)) {
        const service = serviceNameOf(token)
        throw new BootError([problem('ORCH_SERVICE_MISSING', { plugin: this.plugin, service, neededBy: `"${name}"` })])
      }
      resolved[name] = this.#container.resolve(token as symbol)
    }
    return Object.freeze(resolved) as Resolved<N>
  }
}
