import type { Logger } from 'orch/sdk'
import type { PluginHealth } from 'orch/sdk/proposed'
import { Budget } from './budget.js'
import { LinkClosed } from './call-link.js'
import type { ProcessEvent } from './isolated-process.js'
import type { IsolationMetrics } from './isolation-metrics.js'
import type { Violation } from './plugin-messages.js'
import { UnreadableAnswer } from './unreadable-answer.js'

/** Events before the plugin is part of a server. */
const maxEarlyEvents = 100
/** Beyond this many in a period, violations are only counted. */
const maxReportedViolations = 20
const reportPeriodMs = 60_000
/** A violation or an unreadable answer makes a plugin unhealthy for this long, so that an operator notices it. */
const quietMs = 600_000

export interface Observers {
  readonly logger: Logger
  readonly metrics: IsolationMetrics
  /** Records a denied action in the audit log. */
  audit(plugin: string, violation: Violation): void
}

/** The health of one version of an isolated plugin, as logs, metrics and a status for callers. */
export class HealthRecord {
  readonly #nameOf: () => string
  readonly #now: () => number
  readonly #listeners = new Set<(health: PluginHealth) => void>()
  readonly #early: ProcessEvent[] = []
  readonly #reports = new Budget(maxReportedViolations, reportPeriodMs)
  #observers: Observers | undefined
  #health: PluginHealth = { isHealthy: true, reason: 'Serving', message: 'It serves.', restarts: 0, violations: 0 }
  /** CPU time of the current process, as last reported. */
  #cpuSeconds = 0
  /** The last violation or unreadable answer. */
  #offence: { readonly reason: string; readonly message: string; readonly at: number } | undefined

  constructor(nameOf: () => string, now: () => number = () => performance.now()) {
    this.#nameOf = nameOf
    this.#now = now
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

  /** A call was answered, or failed: the plugin threw, returned an unreadable answer, or its process is gone. */
  called(call: string, seconds: number, error?: unknown): void {
    this.#observers?.metrics.called(this.#nameOf(), call, seconds, error !== undefined)
    // The exit of the process was logged when it happened.
    if (error === undefined || error instanceof LinkClosed) return
    this.#observers?.logger.warn('a call of an isolated plugin failed', { plugin: this.#nameOf(), call, error })
    if (error instanceof UnreadableAnswer) this.#offend('UnreadableAnswer', error.message)
  }

  #report(event: ProcessEvent, { logger, metrics, audit }: Observers): void {
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
        metrics.restarted(plugin)
        return this.#become({ isHealthy: false, reason: 'Failed', message: why, restarts: restarts + 1 })
      }
      case 'violation': {
        const { violation } = event
        metrics.refused(plugin, violation.kind)
        if (this.#reports.take() === 'within') {
          logger.warn('an isolated plugin was denied an action outside its permissions', { plugin, ...violation })
          audit(plugin, violation)
        }
        return this.#offend('PermissionDenied', `It was refused: ${violation.what}.`, violations + 1)
      }
      case 'usage':
        metrics.uses(plugin, { ...event.usage, cpuSeconds: this.#cpuSince(event.usage.cpuSeconds) })
        if (!this.#health.isHealthy && this.#health.reason === this.#offence?.reason) this.#ready(logger)
        return
      case 'output':
        logger.info('output of an isolated plugin', { plugin, line: event.line })
    }
  }

  /** The CPU time since the last report. A new process begins at zero; another version of the plugin has a record of its own. */
  #cpuSince(cpuSeconds: number): number {
    const before = this.#cpuSeconds
    this.#cpuSeconds = cpuSeconds
    return cpuSeconds >= before ? cpuSeconds - before : cpuSeconds
  }

  #offend(reason: string, message: string, violations = this.#health.violations): void {
    this.#offence = { reason, message, at: this.#now() }
    this.#become({ isHealthy: false, reason, message, violations })
  }

  /** It serves. A recent offence still counts: a restart does not clear it, a new version starts a new record. */
  #ready(logger: Logger): void {
    const { restarts, lastFailure, isHealthy, reason } = this.#health
    const offence = this.#offence
    if (offence && this.#now() - offence.at < quietMs) {
      if (reason !== offence.reason)
        this.#become({ isHealthy: false, reason: offence.reason, message: offence.message })
      return
    }
    if (isHealthy && restarts === 0) return
    if (!isHealthy) logger.info('an isolated plugin serves again', { plugin: this.#nameOf() })
    const started = restarts === 0 ? 'It serves.' : `It serves; it was started ${restarts + 1} times.`
    this.#become({ isHealthy: true, reason: 'Serving', message: `${started} Before: ${lastFailure ?? 'unknown'}.` })
  }

  #become(change: Partial<PluginHealth>): void {
    const lastFailure = change.isHealthy === false ? change.message : this.#health.lastFailure
    this.#health = { ...this.#health, ...change, ...(lastFailure === undefined ? {} : { lastFailure }) }
    for (const listener of this.#listeners) listener(this.#health)
  }
}
