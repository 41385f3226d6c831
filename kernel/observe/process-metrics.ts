import type { Registry } from 'prom-client'
import { lazyGauge } from './request-metrics.js'

/** The metrics of any process. */
export function addProcessMetrics(registry: Registry): void {
  lazyGauge(registry, 'process_resident_memory_bytes', 'Resident memory of the process.', () =>
    process.memoryUsage.rss(),
  )
  lazyGauge(registry, 'process_cpu_seconds_total', 'CPU time of the process.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
}
