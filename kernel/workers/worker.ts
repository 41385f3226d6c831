import type { SharedWork } from 'orch/sdk/proposed'
import type { BootedPlugins } from '../boot/boot-plugins.js'
import { errorMessage } from '../contracts/boot-errors.js'
import type { Siblings } from '../contracts/siblings.js'
import { createLogger, type LogFormat } from '../observe/log.js'
import { realClock } from '../observe/real-clock.js'
import { Kernel } from '../server/kernel.js'
import { Announcements } from './announcements.js'
import { GivenConnections } from './given-connections.js'
import { Link } from './link.js'
import type { WorkQuestion } from './primary.js'
import { primaryChannel, workerNumber } from './worker-process.js'

/** A worker: the same server over the same store, without control loops, until the primary stops it. */
export async function serveAsWorker(
  booted: BootedPlugins,
  count: number,
  untilStopped: Promise<unknown>,
  format: LogFormat,
): Promise<number> {
  const channel = primaryChannel()
  const link = new Link(channel)
  const told = new Promise<void>(resolve => link.on('stop', () => resolve()))
  const stopped = Promise.race([told, untilStopped]).then(() => undefined)
  const start = await Promise.race([link.ask('booted') as Promise<{ port: number }>, stopped])
  try {
    if (start) await serveUntil(stopped, booted, { ...start, format }, link, count)
    return 0
  } catch (error) {
    link.tell('failed', errorMessage(error))
    return 1
  } finally {
    channel.letProcessEnd()
  }
}

async function serveUntil(
  stopped: Promise<void>,
  { kernelOptions, ...booted }: BootedPlugins,
  { port, format }: { port: number; format: LogFormat },
  link: Link,
  count: number,
): Promise<void> {
  // The primary runs the control loops, and is the one to be elected.
  const options = { ...kernelOptions, securePort: port, controllers: [], leaderElect: false }
  const logger = createLogger({ verbosity: options.v, format }).child({ worker: workerNumber() })
  const siblings = asWorker(link, count)
  const kernel = new Kernel({ ...booted, kernelOptions: options }, { clock: realClock, logger, siblings })
  try {
    await kernel.start()
    await Promise.race([kernel.plugins.whenReady(), stopped])
    link.tell('serving')
    await stopped
  } finally {
    await kernel.stop()
  }
}

function asWorker(link: Link, count: number): Siblings {
  const peers = new Announcements(false, () => link.tell('news'))
  link.on('news', () => peers.hear())
  const sharedWork: SharedWork = {
    declare: <Question, Answer>(name: string) => {
      const ask = (question: Question) => link.ask('work', { name, question } satisfies WorkQuestion)
      return ask as (question: Question) => Promise<Answer>
    },
  }
  return {
    isPrimary: false,
    servingProcesses: count,
    peers,
    sharedWork,
    connections: new GivenConnections(link),
    offerMetrics: own => link.on('collect', own),
    metrics: () => link.ask('metrics') as Promise<string>,
  }
}
