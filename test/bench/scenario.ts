import type { BenchServer } from './bench-server.js'
import type { Cost } from './client-load.js'
import { percentile } from './process-figures.js'

/** One measurement. Metrics are named `what unit`. */
export type Metrics = Record<string, number>
export interface BenchScenario {
  readonly name: string
  readonly repetitions: number
  /** Consecutive scenarios with the same prepared namespace share it. */
  readonly prepared?: { readonly what: string; readonly objects: number; readonly size?: number }
  run(server: BenchServer, namespace: string, repetition: string): Promise<Metrics>
}

/** More is better for rates, less for everything else. */
export const isMoreBetter = (metric: string): boolean => metric.endsWith('/s')

/**
 * CPU of server and client. Server CPU per operation does not depend on how much the client takes. Other CPU is what the
 * rest of the machine used meanwhile, in % of a core: noise.
 */
export const cpuMetrics = (cost: Cost, operations: number, per = 'op'): Metrics => ({
  [`server cpu ms/${per}`]: cost.serverCpuMs / operations,
  'client cpu %': (cost.clientCpuMs / cost.wallMs) * 100,
  'other cpu %': (Math.max(0, cost.machineBusyMs - cost.clientCpuMs - cost.serverCpuMs) / cost.wallMs) * 100,
})

export const rateMetrics = (result: Cost & { latencies: Float64Array }): Metrics => ({
  'rate ops/s': (result.latencies.length / result.wallMs) * 1e3,
  'p50 ms': percentile(result.latencies, 0.5),
  'p99 ms': percentile(result.latencies, 0.99),
  ...cpuMetrics(result, result.latencies.length),
})
