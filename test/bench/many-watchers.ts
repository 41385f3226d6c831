import { type ChildProcess, fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { collectionPath, payload } from './config-map-load.js'
import type { Target } from './connection.js'
import { ConnectionPool } from './connection-pool.js'
import { Http2Connection } from './http2-connection.js'
import { median, monotonicMs, privateMiB, threadsCpuMs } from './process-figures.js'
import { WatchCrowd } from './watch-crowd.js'

/**
 * `node dist/test/bench/many-watchers.js [--http2 20000] [--http1 4000] [--clients 2] [--events 10]`
 *
 * Very many watches of one collection on one server: over HTTP/2, 1,000 on a connection, and over HTTP/1.1, a connection for
 * each; 0 leaves one out. CPU of the server for opening one, its memory, and an event of 1 KiB for all of them, alone and in a
 * burst. The watchers are in several client processes. A process needs a descriptor for each connection: see `ulimit -n`.
 */
const { values } = parseArgs({
  options: {
    http2: { type: 'string', default: '20000' },
    http1: { type: 'string', default: '4000' },
    clients: { type: 'string', default: '2' },
    events: { type: 'string', default: '10' },
    client: { type: 'string' },
  },
})
const path = collectionPath('default')
const perConnection = 1000
const openedAtOnce = 250

interface Orders {
  readonly target: Target
  readonly watchers: number
  readonly isHttp2: boolean
  readonly version: string
}

/** A client process: opens watches when it is told, and then says how often all of them have had an event. */
function beClient(): void {
  process.once('message', async ({ target, watchers, isHttp2, version }: Orders) => {
    const crowds: WatchCrowd[] = []
    let connection: Http2Connection | undefined
    for (let opened = 0; opened < watchers; opened += openedAtOnce) {
      if (isHttp2 && opened % perConnection === 0) connection = new Http2Connection(target)
      const shared = connection
      const count = Math.min(openedAtOnce, watchers - opened)
      const watched = `${path}?watch=1&resourceVersion=${version}&timeoutSeconds=3600`
      crowds.push(await WatchCrowd.open(target, watched, count, shared && (() => shared)))
    }
    process.send?.('open')
    for (;;) {
      await Promise.all(crowds.map(crowd => crowd.delivered()))
      process.send?.('delivered')
    }
  })
}

/** All clients together. */
class Clients {
  readonly #children: readonly ChildProcess[]
  #delivered: number[]
  #wake: () => void = () => {}

  private constructor(count: number) {
    this.#children = Array.from({ length: count }, () => fork(fileURLToPath(import.meta.url), ['--client', 'yes']))
    this.#delivered = this.#children.map(() => 0)
  }
  static async open(count: number, orders: Orders): Promise<Clients> {
    const clients = new Clients(count)
    const each = { ...orders, watchers: Math.floor(orders.watchers / count) }
    await Promise.all(
      clients.#children.map(
        (child, at) =>
          new Promise<void>((resolve, reject) => {
            child.on('exit', code => reject(new Error(`a client ended with ${code}`)))
            child.on('message', message => {
              if (message === 'open') return resolve()
              clients.#delivered[at]!++
              clients.#wake()
            })
            child.send(each)
          }),
      ),
    )
    return clients
  }
  /** Waits until every watch has had this many events. */
  async delivered(events: number): Promise<void> {
    while (this.#delivered.some(count => count < events))
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
  }
  close(): void {
    for (const child of this.#children) {
      child.removeAllListeners('exit')
      child.kill('SIGKILL')
    }
  }
}

async function measure(isHttp2: boolean, watchers: number): Promise<void> {
  const folder = temporaryFolder()
  const tokens = folder.write('tokens.csv', 'admintoken,admin,1,"system:masters"\n')
  const flags = ['--vendor=kubernetes', `--token-auth-file=${tokens}`, '--controllers=-*']
  const server = await startOrch({ flags, isBundled: true, limitMs: 120_000 })
  const target: Target = { url: server.url, token: 'admintoken', pids: [server.pid] }
  // The server closes a connection that has been idle while watches were opened.
  const writer = new ConnectionPool(target)
  const body = JSON.stringify({ metadata: { name: 'watched' }, data: { text: payload(1, 1000) } })
  const { body: created } = await writer.request('POST', path, { body })
  const version = JSON.parse(created.toString()).metadata.resourceVersion
  const orders = { target, isHttp2, version }
  let salt = 0
  const change = async () => {
    const patch = { body: JSON.stringify({ data: { salt: `${++salt}` } }), type: 'application/merge-patch+json' }
    const { status } = await writer.request('PATCH', `${path}/watched`, patch)
    if (status !== 200) throw new Error(`a change: ${status}`)
  }
  const usedBy = async (work: () => Promise<unknown>) => {
    const before = threadsCpuMs(server.pid)
    await work()
    return threadsCpuMs(server.pid) - before
  }
  let clients: Clients | undefined
  try {
    // The first watches run before the code is optimized.
    const warm = await Clients.open(1, { ...orders, watchers: 500 })
    for (let event = 0; event < 20; event++) await change()
    await warm.delivered(20)
    warm.close()
    await sleep(2000)
    const { body: current } = await writer.request('GET', `${path}/watched`)
    const newest = JSON.parse(current.toString()).metadata.resourceVersion
    const idleMiB = privateMiB([server.pid])
    const opening = monotonicMs()
    const count = Number(values.clients)
    const opened = await usedBy(async () => {
      clients = await Clients.open(count, { ...orders, watchers, version: newest })
    })
    const took = monotonicMs() - opening
    const crowd = clients!
    const grown = privateMiB([server.pid]) - idleMiB
    const name = isHttp2 ? 'HTTP/2' : 'HTTP/1.1'
    console.log(
      `${watchers} watches over ${name}: opened in ${(took / 1000).toFixed(1)} s, ${(opened / watchers).toFixed(3)} ms of CPU each; ${((grown * 1024) / watchers).toFixed(1)} KiB each, ${idleMiB.toFixed(0)} MiB before`,
    )
    const rest = (await usedBy(() => sleep(3000))) / 30
    console.log(`  at rest ${rest.toFixed(1)} % of a core`)
    const events = Number(values.events)
    const [times, costs]: number[][] = [[], []]
    for (let event = 1; event <= events; event++) {
      const sent = monotonicMs()
      costs!.push(
        await usedBy(async () => {
          await change()
          await crowd.delivered(event)
        }),
      )
      times!.push(monotonicMs() - sent)
    }
    const [cost, time] = [median(costs!), median(times!)]
    console.log(
      `  an event for all: ${(cost / 1000).toFixed(2)} s of CPU, ${((cost * 1000) / watchers).toFixed(1)} us for one watch, ${(time / 1000).toFixed(2)} s until the last has it`,
    )
    const burst = await usedBy(async () => {
      for (let event = 0; event < events; event++) await change()
      await crowd.delivered(2 * events)
    })
    console.log(
      `  ${events} changes at once: ${((burst * 1000) / watchers / events).toFixed(1)} us of CPU for one watch; ${privateMiB([server.pid]).toFixed(0)} MiB afterwards`,
    )
  } finally {
    clients?.close()
    writer.close()
    await server.stop()
    folder.remove()
  }
}

if (values.client === undefined) {
  if (Number(values.http2) > 0) await measure(true, Number(values.http2))
  if (Number(values.http1) > 0) await measure(false, Number(values.http1))
} else beClient()
