import type { Logger, Metrics } from 'orch/sdk'
import type { PluginHealth } from 'orch/sdk/server'
import { LinkClosed } from './call-link.js'
import type { ProcessEvent } from './isolated-process.js'
import type { ProcessUsage } from './process-usage.js'
import { UnreadableAnswer } from './unreadable-answer.js'

/** Events before the plugin is part of a server. */
const maxEarlyEvents = 100
/** After this many, violations are only counted. */
const maxLoggedViolations = 20

interface Observers {
  readonly logger: Logger
  readonly metrics: Metrics
}

/** The health of an isolated plugin, as logs, metrics and a status for callers. */
export class HealthRecord {
  readonly #nameOf: () => string
  readonly #listeners = new Set<(health: PluginHealth) => void>()
  readonly #early: ProcessEvent[] = []
  #observers: Observers | undefined
  #cpuSeconds = 0
  #health: PluginHealth = { isHealthy: true, reason: 'Serving', message: 'It serves.', restarts: 0, violations: 0 }

  constructor(nameOf: () => string) {
    this.#nameOf = nameOf
  }

  get health(): PluginHealth {
    return this.#health
  }
  onChange(listener: (health: PluginHealth) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  /** Also reports the events so far. */
  observeWith(observers: Observers): void {
    this.#observers = observers
    for (const event of this.#early.splice(0)) this.#report(event, observers)
  }

  happened(event: ProcessEvent): void {
    if (this.#observers) this.#report(event, this.#observers)
    else if (event.is !== 'usage' && this.#early.length < maxEarlyEvents) this.#early.push(event)
  }

  /** A call failed: the plugin threw, returned an unreadable answer, or its process is gone. */
  callFailed(call: string, error: unknown): void {
    this.#count('isolated_plugin_failed_calls_total', 'Failed calls to isolated plugins.')
    // The exit of the process was logged when it happened.
    if (error instanceof LinkClosed) return
    this.#observers?.logger.warn('a call of an isolated plugin failed', { plugin: this.#nameOf(), call, error })
    if (error instanceof UnreadableAnswer)
      this.#become({ isHealthy: false, reason: 'UnreadableAnswer', message: error.message })
  }

  #report(event: ProcessEvent, { logger }: Observers): void {
    const plugin = this.#nameOf()
    const { restarts, violations } = this.#health
    switch (event.is) {
      case 'ready':
        return this.#ready(logger)
      case 'silent':
        logger.warn('an isolated plugin does not respond', { plugin })
        return this.#become({ isHealthy: false, reason: 'NotAnswering', message: event.why })
      case 'failed': {
        const { why, delayMs } = event
        logger.error('an isolated plugin failed; its process is restarted', { plugin, why, delayMs })
        this.#count('isolated_plugin_restarts_total', 'Exits of isolated plugin processes.')
        return this.#become({ isHealthy: false, reason: 'Failed', message: why, restarts: restarts + 1 })
      }
      case 'violation': {
        const { kind, what } = event.violation
        this.#observers?.metrics
          .counter('isolated_plugin_violations_total', 'Denied actions of isolated plugins.', ['plugin', 'kind'])
          .inc({ plugin, kind })
        if (violations < maxLoggedViolations)
          logger.warn('an isolated plugin was denied an action outside its permissions', { plugin, kind, what })
        const message = `It was refused: ${what}.`
        return this.#become({ isHealthy: false, reason: 'PermissionDenied', message, violations: violations + 1 })
      }
      case 'usage':
        return this.#measure(event.usage)
      case 'output':
        logger.info('output of an isolated plugin', { plugin, line: event.line })
    }
  }

  /** Denials are kept while the plugin is loaded, because somebody should look at them. */
  #ready(logger: Logger): void {
    const { restarts, lastFailure, violations, isHealthy } = this.#health
    if (violations > 0 || (isHealthy && restarts === 0)) return
    if (!isHealthy) logger.info('an isolated plugin serves again', { plugin: this.#nameOf() })
    const message =
      restarts === 0
        ? 'It serves.'
        : `It serves; it was started ${restarts + 1} times. Before: ${lastFailure ?? 'unknown'}.`
    this.#become({ isHealthy: true, reason: 'Serving', message })
  }

  #measure({ memoryBytes, cpuSeconds }: ProcessUsage): void {
    const labels = { plugin: this.#nameOf() }
    const { metrics } = this.#observers ?? {}
    metrics
      ?.gauge('isolated_plugin_memory_bytes', 'Memory of the process of an isolated plugin.', ['plugin'])
      .set(memoryBytes, labels)
    // A new process starts at zero.
    const more = cpuSeconds >= this.#cpuSeconds ? cpuSeconds - this.#cpuSeconds : cpuSeconds
    this.#cpuSeconds = cpuSeconds
    metrics
      ?.counter('isolated_plugin_cpu_seconds_total', 'CPU time of the processes of an isolated plugin.', ['plugin'])
      .inc(labels, more)
  }

  #count(name: string, help: string): void {
    this.#observers?.metrics.counter(name, help, ['plugin']).inc({ plugin: this.#nameOf() })
  }

  #become(change: Partial<PluginHealth>): void {
    const lastFailure = change.isHealthy === false ? change.message : this.#health.lastFailure
    this.#health = { ...this.#health, ...change, ...(lastFailure === undefined ? {} : { lastFailure }) }
    for (const listener of this.#listeners) listener(this.#health)
  }
}
