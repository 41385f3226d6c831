import type { Metrics } from 'orch/sdk'
import type { ViolationKind } from './plugin-messages.js'
import type { ProcessUsage } from './process-usage.js'

/** From a tenth of a millisecond, which a call takes, to the seconds of a deadline. */
const buckets = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10]

/** Metrics of plugins in separate processes. */
export class IsolationMetrics {
  readonly #metrics: Metrics

  constructor(metrics: Metrics) {
    this.#metrics = metrics
  }

  restarted(plugin: string): void {
    this.#metrics
      .counter('isolated_plugin_restarts_total', 'Processes of isolated plugins that ended.', ['plugin'])
      .inc({ plugin })
  }

  refused(plugin: string, kind: ViolationKind): void {
    this.#metrics
      .counter('isolated_plugin_violations_total', 'Actions that isolated plugins were denied.', ['plugin', 'kind'])
      .inc({ plugin, kind })
  }

  called(plugin: string, call: string, seconds: number, hasFailed: boolean): void {
    this.#metrics
      .histogram('isolated_plugin_call_duration_seconds', 'Calls of isolated plugins.', ['plugin', 'call'], buckets)
      .observe(seconds, { plugin, call })
    if (hasFailed)
      this.#metrics
        .counter('isolated_plugin_failed_calls_total', 'Calls that an isolated plugin did not answer properly.', [
          'plugin',
        ])
        .inc({ plugin })
  }

  /** `cpuSeconds` is what it used since the last time. */
  uses(plugin: string, { memoryBytes, cpuSeconds }: ProcessUsage): void {
    this.#metrics
      .gauge('isolated_plugin_memory_bytes', 'Memory of the process of an isolated plugin.', ['plugin'])
      .set(memoryBytes, { plugin })
    this.#metrics
      .counter('isolated_plugin_cpu_seconds_total', 'CPU time of the processes of an isolated plugin.', ['plugin'])
      .inc({ plugin }, cpuSeconds)
  }
}
