import { kibPayload } from './bench-server.js'
import type { LoadName } from './client-load.js'
import { type BenchScenario, rateMetrics } from './scenario.js'

const objects = 1024
const salt = () => (Date.now() % 1e9) * 1000

/** Rates of single requests. */
export function requestScenarios(repetitions: number, seconds: number): BenchScenario[] {
  const create = (clients: number): BenchScenario => ({
    name: `create-c${clients}`,
    repetitions,
    async run(server, _, repetition) {
      const namespace = await server.namespace(`create${clients}-${repetition}`)
      const { target, client } = server
      const shape = { namespace, size: kibPayload, first: 0, objects: 0, salt: 0 }
      const result = await client.do('load', { ...shape, target, operation: 'create', clients, seconds })
      await server.verify(namespace, result.latencies.length)
      await server.empty(namespace)
      return rateMetrics(result)
    },
  })
  const repeat = (name: string, operation: LoadName, clients: number): BenchScenario => ({
    name: `${name}-c${clients}`,
    repetitions,
    prepared: { what: 'rate', objects },
    async run(server, namespace) {
      const { target, client } = server
      const shape = { namespace, size: kibPayload, first: 0, objects, salt: salt() }
      const result = await client.do('load', { ...shape, target, operation, clients, seconds })
      await server.verify(namespace, objects)
      const lost = (result.conflicts / result.wallMs) * 1e3
      return { ...rateMetrics(result), ...(operation === 'hot' ? { 'conflicts each s': lost } : {}) }
    },
  })
  const nodeWrites = (name: string, operation: 'renew' | 'status'): BenchScenario => ({
    name: `${name}-c16`,
    repetitions,
    async run(server) {
      await server.fillNodes(objects)
      const { target, client } = server
      const shape = { namespace: '', size: 0, first: 0, objects, salt: 0 }
      return rateMetrics(await client.do('load', { ...shape, target, operation, clients: 16, seconds }))
    },
  })
  return [
    create(1),
    create(16),
    create(64),
    repeat('get', 'get', 64),
    repeat('update', 'put', 16),
    repeat('mergepatch', 'patch', 16),
    repeat('apply', 'apply', 16),
    nodeWrites('lease', 'renew'),
    nodeWrites('status', 'status'),
    repeat('contention', 'hot', 16),
  ]
}
