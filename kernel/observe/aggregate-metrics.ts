import { AggregatorRegistry, type PrometheusContentType } from 'prom-client'

/** The metrics of several processes as one text: counters add up, and each gauge says for itself what to do. */
export function aggregateMetrics(ofProcesses: readonly (readonly object[])[]): Promise<string> {
  return AggregatorRegistry.aggregate<PrometheusContentType>([...ofProcesses]).metrics()
}
