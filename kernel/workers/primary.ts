import { type Logger, parseDuration } from 'orch/sdk'
import type { MetricsSource, ServingEndpoint, Siblings } from '../contracts/siblings.js'
import { aggregateMetrics } from '../observe/aggregate-metrics.js'
import { inTime } from '../observe/in-time.js'
import { realClock } from '../observe/real-clock.js'
import type { KernelOptions } from '../options/kernel-options.js'
import { LocalWork } from '../server/local-work.js'
import { Announcements } from './announcements.js'
import type { Link } from './link.js'
import { WorkerPool } from './worker-pool.js'
import { forkWorker } from './worker-process.js'

/** A process that does not report its metrics within this time is omitted. */
const collectLimitMs = 2000

/** A worker's request for shared work. */
export interface WorkQuestion {
  readonly name: string
  readonly question: unknown
}

/** The primary: starts the workers and serves their requests. */
export function asPrimary(
  count: number,
  { shutdownDelayDuration }: KernelOptions,
  logger: Logger,
): { door: ServingEndpoint; siblings: Siblings } {
  const tellAllBut = (sender: Link | undefined) => {
    for (const link of pool.links) if (link !== sender) link.tell('news')
  }
  const peers = new Announcements(true, () => tellAllBut(undefined))
  const sharedWork = new LocalWork()
  let own: MetricsSource = async () => []
  const metrics = async () => {
    const sources = [own(), ...pool.links.map(link => inTime(collectLimitMs, link.ask('collect')).catch(() => []))]
    return aggregateMetrics((await Promise.all(sources)) as object[][])
  }
  const pool: WorkerPool = new WorkerPool({
    count,
    fork: forkWorker,
    clock: realClock,
    logger,
    stopDelayMs: parseDuration(shutdownDelayDuration),
    prepare(link) {
      link.on('news', () => {
        tellAllBut(link)
        peers.hear()
      })
      link.on('work', content => {
        const { name, question } = content as WorkQuestion
        return sharedWork.run(name, question)
      })
      link.on('metrics', metrics)
    },
  })
  const offerMetrics = (source: MetricsSource) => {
    own = source
  }
  return {
    door: pool,
    siblings: { isPrimary: true, servingProcesses: count, peers, sharedWork, offerMetrics, metrics },
  }
}
