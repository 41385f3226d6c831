import type { Store } from 'orch/sdk'
import { Gauge, type Registry } from 'prom-client'
import type { InflightLimits } from '../request/limit-inflight.js'
import { lazyGauge } from './request-metrics.js'

/** What the server tells about itself beside its requests. */
export function addServerMetrics(registry: Registry, store: Store, inflight: InflightLimits): void {
  addInflight(registry, inflight)
  lazyGauge(
    registry,
    'apiserver_storage_revision',
    'Newest revision of the store.',
    () => store.currentRevision(),
    'max',
  )
  lazyGauge(
    registry,
    'apiserver_storage_compacted_revision',
    'Oldest revision kept.',
    () => store.compactedRevision(),
    'max',
  )
  lazyGauge(
    registry,
    'apiserver_storage_size_bytes',
    'Size of the store.',
    async () => (await store.stats()).sizeBytes,
    'max',
  )
  lazyGauge(
    registry,
    'apiserver_storage_objects',
    'Objects in the store.',
    async () => (await store.stats()).keys,
    'max',
  )
  addProcessMetrics(registry)
}

function addInflight(registry: Registry, inflight: InflightLimits): void {
  const gauge: Gauge = new Gauge({
    name: 'apiserver_current_inflight_requests',
    help: 'Requests being served, by what they do.',
    labelNames: ['request_kind'],
    aggregator: 'sum',
    registers: [registry],
    collect() {
      const { readOnly, mutating } = inflight.current
      gauge.set({ request_kind: 'readOnly' }, readOnly)
      gauge.set({ request_kind: 'mutating' }, mutating)
    },
  })
}

/** What any process tells about itself. */
export function addProcessMetrics(registry: Registry): void {
  lazyGauge(registry, 'process_resident_memory_bytes', 'Resident memory of the process.', () =>
    process.memoryUsage.rss(),
  )
  lazyGauge(registry, 'process_cpu_seconds_total', 'CPU time of the process.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
}
