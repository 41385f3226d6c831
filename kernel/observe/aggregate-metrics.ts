import { AggregatorRegistry, type PrometheusContentType } from 'prom-client'

/** Reads the metrics of a process, as data that can be sent to another. */
export type MetricsSource = () => Promise<readonly object[]>

/** The metrics of several processes as one text: counters add up, and each gauge says for itself what to do. */
export function aggregateMetrics(ofProcesses: readonly (readonly object[])[]): Promise<string> {
  return AggregatorRegistry.aggregate<PrometheusContentType>([...ofProcesses]).metrics()
}
