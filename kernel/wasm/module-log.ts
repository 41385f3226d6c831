import type { Logger } from 'orch/sdk'
import type { PluginHealth } from 'orch/sdk/proposed'

/** At most one failure per second is reported: a broken module fails on every request. */
const reportMs = 1000
/** A failure makes the plugin unhealthy for this long, so that an operator notices it. */
const unhealthyMs = 600_000

/** Reports the output and the failures of a module: in the log, once the server has a logger, and as the health of the plugin. */
export class ModuleLog {
  readonly #listeners = new Set<(health: PluginHealth) => void>()
  #logger: Logger | undefined
  #failure: { readonly message: string; readonly at: number } | undefined

  use(logger: Logger): void {
    this.#logger = logger
  }
  line(text: string): void {
    this.#logger?.info('log of a WebAssembly module', { line: text })
  }
  failure(message: string): void {
    const now = performance.now()
    if (this.#failure && now - this.#failure.at < reportMs) return
    this.#failure = { message, at: now }
    this.#logger?.warn('a WebAssembly module failed', { error: message })
    for (const listener of this.#listeners) listener(this.health)
  }

  get health(): PluginHealth {
    const never = { restarts: 0, violations: 0 }
    const failure = this.#failure
    if (!failure) return { isHealthy: true, reason: 'Serving', message: 'It serves.', ...never }
    const { message, at } = failure
    const isRecent = performance.now() - at < unhealthyMs
    return isRecent
      ? { isHealthy: false, reason: 'Failed', message, lastFailure: message, ...never }
      : {
          isHealthy: true,
          reason: 'Serving',
          message: `It serves. Before: ${message}.`,
          lastFailure: message,
          ...never,
        }
  }
  onHealth(listener: (health: PluginHealth) => void): void {
    this.#listeners.add(listener)
  }
}
