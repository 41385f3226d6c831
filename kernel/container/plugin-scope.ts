import type { Needs, Resolved, ServiceToken } from 'orch/sdk'
import { serviceNameOf } from 'orch/sdk/host'
import type { DependencyContainer } from 'tsyringe'
import { BootError, problem } from '../contracts/boot-errors.js'

/** Instances to hand out instead of those of the container, by token. */
export type Replacements = ReadonlyMap<ServiceToken<unknown>, unknown>

/**
 * What one plugin inherits (every service) and what it gets for itself (its logger).
 * Plugin authors never see it: they name tokens under `needs` and receive the instances.
 */
export class PluginScope {
  readonly plugin: string
  readonly #container: DependencyContainer

  constructor(plugin: string, container: DependencyContainer) {
    this.plugin = plugin
    this.#container = container
  }

  /** The instances a definition asked for, some of them replaced. Call it once per definition and keep the result. */
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
