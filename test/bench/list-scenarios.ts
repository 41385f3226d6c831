import type { ListForm } from './client-lists.js'
import { percentile, withMemory } from './process-figures.js'
import { type BenchScenario, cpuMetrics } from './scenario.js'

const objects = 10_000
const bigPayload = 10_240
const picked = 'labelSelector=pick%3Dyes'

interface ListShape {
  readonly query?: string
  readonly limit?: number
  readonly form?: ListForm
  readonly clients?: number
  readonly expected?: number
}

/** Reading whole collections. */
export function listScenarios(repetitions: number, isFull: boolean): BenchScenario[] {
  const lists = (name: string, shape: ListShape, prepared: BenchScenario['prepared'] & object): BenchScenario => ({
    name,
    repetitions,
    prepared,
    async run(server, namespace) {
      const { target, client } = server
      const { clients = 1, expected = prepared.objects, query, limit, form } = shape
      const times = clients === 1 ? 3 : 1
      const work = { target, namespace, query, limit, form, clients, times, expected }
      const [result, growth] = await withMemory(target.pids, () => client.do('list', work))
      return {
        'list p50 ms': percentile(result.latencies, 0.5),
        ...(clients > 1 ? { 'wall ms': result.wallMs, 'private growth MiB': growth } : {}),
        'data MB/s': result.bytes / 1e3 / result.wallMs,
        ...cpuMetrics(result, result.latencies.length, 'list'),
      }
    },
  })
  const small = { what: 'list', objects }
  // The reference needs about 20 GB for ten lists of 200 MB.
  const big = { what: 'big', objects: isFull ? 20_000 : objects, size: bigPayload }
  return [
    lists('list-c1', {}, small),
    lists('list-c8', { clients: 8 }, small),
    lists('list-pages500', { limit: 500 }, small),
    lists('list-label1pct', { query: picked, expected: objects / 100 }, small),
    lists('list-rv0', { query: 'resourceVersion=0' }, small),
    lists('list-rv0-label1pct', { query: `resourceVersion=0&${picked}`, expected: objects / 100 }, small),
    lists('list-protobuf', { form: 'protobuf' }, small),
    lists('list-streaming', { form: 'stream' }, small),
    lists('biglist-c10', { clients: 10 }, big),
  ]
}
