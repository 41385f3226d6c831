import { LoadClient } from './load-client.js'
import { percentile, withMemory } from './process-figures.js'
import { type BenchScenario, cpuMetrics } from './scenario.js'

const watched = 100
const receiveLimitMs = 30_000
const fromZeroLimitMs = 120_000

/** Many watches of one collection. */
export function watchScenarios(repetitions: number): BenchScenario[] {
  const fanOut = (watchers: number, perSecond: number): BenchScenario => ({
    name: `watch-w${watchers}-${perSecond > 0 ? `${perSecond}ps` : 'burst'}`,
    repetitions: Math.min(repetitions, 2),
    prepared: { what: `watch${watchers}-${perSecond}`, objects: watched },
    async run(server, namespace) {
      const { target, client } = server
      const events = perSecond > 0 ? 50 : 200
      const version = await server.verify(namespace, watched)
      const [{ openMs, sent, acknowledged, result }, growth] = await withMemory(target.pids, async () => {
        const opened = await client.do('openWatches', { target, namespace, version, watchers, events })
        // The writer is another process, so that receiving does not slow it down.
        const writer = new LoadClient()
        const times = await writer
          .do('write', { target, namespace, objects: watched, events, perSecond })
          .finally(() => writer.close())
        const { acknowledged } = times
        const received = await client.do('finishWatches', { acknowledged, limitMs: receiveLimitMs })
        return { ...opened, ...times, result: received }
      })
      const first = sent[0] ?? 0
      return {
        'delivered events/s': ((watchers * events) / (result.lastAt - first)) * 1e3,
        'writes ops/s': (events / ((acknowledged.at(-1) ?? 0) - first)) * 1e3,
        'ack-to-receipt p50 ms': percentile(result.delays, 0.5),
        'ack-to-receipt p99 ms': percentile(result.delays, 0.99),
        'open all ms': openMs,
        'private growth MiB': growth,
        resumed: result.resumed,
        ...cpuMetrics(result, (watchers * events) / 1000, '1000 events'),
      }
    },
  })
  const fromZero: BenchScenario = {
    name: 'watch-init-1000x1000',
    repetitions: 1,
    prepared: { what: 'init', objects: 1000 },
    async run({ target, client }, namespace) {
      const work = { target, namespace, watchers: 1000, objects: 1000, limitMs: fromZeroLimitMs }
      const [result, growth] = await withMemory(target.pids, () => client.do('watchFromZero', work))
      return {
        'all ready ms': result.wallMs,
        'p50 ready ms': percentile(result.latencies, 0.5),
        'connect ms': result.connectMs,
        'private growth MiB': growth,
        ...cpuMetrics(result, 1000, '1000 events'),
      }
    },
  }
  return [...[1, 100, 1000].flatMap(watchers => [fanOut(watchers, 0), fanOut(watchers, 10)]), fromZero]
}
