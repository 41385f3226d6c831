import { AggregatorRegistry, type PrometheusContentType } from 'prom-client'

/** The metrics of several processes as one text: counters are added, gauges as each of them specifies. */
export function aggregateMetrics(ofProcesses: readonly (readonly object[])[]): Promise<string> {
  return AggregatorRegistry.aggregate<PrometheusContentType>([...ofProcesses]).metrics()
}
