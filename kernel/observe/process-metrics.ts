import { Counter, type Registry } from 'prom-client'
import { lazyGauge } from './request-metrics.js'

/** The metrics of any process. */
export function addProcessMetrics(registry: Registry): void {
  lazyGauge(registry, 'process_resident_memory_bytes', 'Resident memory of the process.', () =>
    process.memoryUsage.rss(),
  )
  const cpu: Counter = new Counter({
    name: 'process_cpu_seconds_total',
    help: 'CPU time of the process.',
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage()
      cpu.reset()
      cpu.inc((user + system) / 1e6)
    },
  })
}
