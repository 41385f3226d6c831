import type { Needs, Resolved } from 'orch/sdk'
import type { DependencyContainer } from 'tsyringe'
import { BootError, problem } from '../boot/boot-errors.js'

/**
 * What one plugin inherits (every service) and what it gets for itself (its logger), and the keeper of what it opened.
 * Plugin authors never see it: they name tokens under `needs` and receive the instances.
 */
export class PluginScope {
  readonly plugin: string
  readonly #container: DependencyContainer
  readonly #closers: (() => void | Promise<void>)[] = []

  constructor(plugin: string, container: DependencyContainer) {
    this.plugin = plugin
    this.#container = container
  }

  /** The instances a definition asked for. Call it once per definition and keep the result. */
  resolve<N extends Needs>(needs: N | undefined): Resolved<N> {
    const resolved: Record<string, unknown> = {}
    for (const [name, token] of Object.entries(needs ?? {})) {
      if (!this.#container.isRegistered(token as symbol, true)) {
        const service = token.description ?? 'unnamed'
        throw new BootError([problem('ORCH_SERVICE_MISSING', { plugin: this.plugin, service, neededBy: `"${name}"` })])
      }
      resolved[name] = this.#container.resolve(token as symbol)
    }
    return Object.freeze(resolved) as Resolved<N>
  }

  /** Keeps a closer until the plugin stops. */
  owns(close: () => void | Promise<void>): void {
    this.#closers.push(close)
  }

  /** Closes what the plugin opened, newest first, all of it even if one fails; what failed is returned. Twice is harmless. */
  async close(): Promise<unknown[]> {
    const failures: unknown[] = []
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) {
      try {
        await close()
      } catch (failure) {
        failures.push(failure)
      }
    }
    return failures
  }
}
