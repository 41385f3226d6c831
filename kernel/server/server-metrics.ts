import type { Store } from 'orch/sdk/host'
import type { RequestLimiter } from 'orch/sdk/server'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Connections } from '../http/connections.js'
import { addProcessMetrics } from '../observe/process-metrics.js'
import { lazyGauge } from '../observe/request-metrics.js'

/** Metrics of the server other than those of requests. */
export function addServerMetrics(
  registry: Registry,
  store: Store,
  limiter: () => RequestLimiter,
  connections: Connections,
): void {
  addInflight(registry, limiter)
  addConnections(registry, connections)
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
    'Oldest revision that is retained.',
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
    'apiserver_storage_free_bytes',
    'Remaining capacity of the store; NaN if its engine does not report it.',
    async () => (await store.stats()).freeBytes ?? Number.NaN,
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

function addInflight(registry: Registry, limiter: () => RequestLimiter): void {
  const gauge: Gauge = new Gauge({
    name: 'apiserver_current_inflight_requests',
    help: 'Requests in flight, by kind.',
    labelNames: ['request_kind'],
    aggregator: 'sum',
    registers: [registry],
    collect() {
      const { readOnly, mutating } = limiter().current
      gauge.set({ request_kind: 'readOnly' }, readOnly)
      gauge.set({ request_kind: 'mutating' }, mutating)
    },
  })
}

function addConnections(registry: Registry, connections: Connections): void {
  lazyGauge(registry, 'apiserver_open_connections', 'Connections of clients.', () => connections.count)
  lazyGauge(
    registry,
    'apiserver_unsent_response_bytes',
    'Buffered bytes of responses that clients have not received yet.',
    () => connections.unsentBytes,
  )
  reasonCounter(
    registry,
    'apiserver_closed_connections_total',
    'Connections that were rejected or closed, by the limit that they exceeded.',
    () => connections.cuts,
  )
  reasonCounter(
    registry,
    'apiserver_interrupted_connections_total',
    'Connections that ended during a request, by reason. Clients that end a watch are not counted.',
    () => connections.interruptions,
  )
}

function reasonCounter(
  registry: Registry,
  name: string,
  help: string,
  counts: () => ReadonlyMap<string, number>,
): void {
  const counter: Counter = new Counter({
    name,
    help,
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      counter.reset()
      for (const [reason, count] of counts()) counter.inc({ reason }, count)
    },
  })
}
