import { kibPayload } from './bench-server.js'
import { privateMiB } from './process-figures.js'
import { type BenchScenario, type Metrics, rateMetrics } from './scenario.js'

const objects = 10_000

/** Bulk deletion, and growth without getting slower. */
export function bulkScenarios(seconds: number, isFull: boolean): BenchScenario[] {
  return [
    {
      name: 'delete-10k-c16',
      repetitions: 1,
      async run(server, _, repetition) {
        const namespace = await server.fill(`del${repetition}`, objects)
        const shape = { namespace, size: 0, first: 0, objects, salt: 0 }
        const { target, client } = server
        const result = await client.do('load', { ...shape, target, operation: 'delete', clients: 16, count: objects })
        await server.verify(namespace, 0)
        return { 'wall ms': result.wallMs, ...rateMetrics(result) }
      },
    },
    {
      name: 'deletecollection-10k',
      repetitions: 1,
      async run(server, _, repetition) {
        const namespace = await server.fill(`delc${repetition}`, objects)
        const wallMs = await server.empty(namespace)
        await server.verify(namespace, 0)
        return { 'wall ms': wallMs }
      },
    },
    {
      name: 'scaling',
      repetitions: 1,
      async run(server) {
        const { target, client } = server
        const metrics: Metrics = {}
        let stored = 0
        let extra = 0
        for (const size of isFull ? [1000, 10_000, 100_000] : [1000, 10_000]) {
          const namespace = await server.fill('scale', size, { first: stored })
          stored = size
          const shape = { namespace, size: kibPayload, objects: size, salt: 0, target, clients: 16, seconds }
          const got = rateMetrics(await client.do('load', { ...shape, first: 0, operation: 'get' }))
          const created = await client.do('load', { ...shape, first: 100 * size, operation: 'create' })
          extra += created.latencies.length
          metrics[`get@${size} p50 ms`] = got['p50 ms'] ?? Number.NaN
          metrics[`create@${size} p50 ms`] = rateMetrics(created)['p50 ms'] ?? Number.NaN
          metrics[`private@${size} MiB`] = privateMiB(target.pids)
        }
        const namespace = await server.namespace('scale')
        const expected = stored + extra
        const all = await client.do('list', { target, namespace, clients: 1, times: 1, expected })
        metrics['list-all ms'] = all.latencies[0] ?? Number.NaN
        await server.empty(namespace)
        return metrics
      },
    },
  ]
}
