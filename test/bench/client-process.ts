import { list } from './client-lists.js'
import { load } from './client-load.js'
import { WatchLoad, type WatchWork, watchFromZero } from './client-watches.js'
import { collectionPath } from './config-map-load.js'
import { Connection, type Target } from './connection.js'
import { monotonicMs } from './process-figures.js'

/** The process that generates the load, driven by messages: `{ id, call, argument }` → `{ id, result | error }`. */
let watches: WatchLoad | undefined

interface WriteWork {
  readonly target: Target
  readonly namespace: string
  readonly objects: number
  readonly events: number
  /** Changes a second; 0 means as fast as possible. */
  readonly perSecond: number
}

/** Changes objects sequentially and records when each change was sent and acknowledged. */
async function write({ target, namespace, objects, events, perSecond }: WriteWork) {
  const connection = await Connection.open(target)
  const sent: number[] = []
  const acknowledged: number[] = []
  const started = monotonicMs()
  const run = Date.now()
  for (let n = 1; n <= events; n++) {
    if (perSecond > 0)
      await new Promise(resolve => setTimeout(resolve, started + ((n - 1) * 1e3) / perSecond - monotonicMs()))
    sent.push(monotonicMs())
    const body = `{"data":{"run":"${run}","seq":"${n}"}}`
    const path = `${collectionPath(namespace)}/cm-${n % objects}`
    const { status } = await connection.request('PATCH', path, { body, type: 'application/merge-patch+json' })
    if (status !== 200) throw new Error(`writer of the watched objects: ${status}`)
    acknowledged.push(monotonicMs())
  }
  connection.close()
  return { sent, acknowledged }
}

interface CallWork {
  readonly target: Target
  readonly method: string
  readonly path: string
  readonly body?: unknown
}
/** One request, parsed: for preparing and verifying. */
async function call({ target, method, path, body }: CallWork) {
  const connection = await Connection.open(target)
  const started = monotonicMs()
  const answer = await connection.request(method, path, { body: body === undefined ? undefined : JSON.stringify(body) })
  connection.close()
  const isJson = /^\s*{/.test(answer.body.toString('latin1', 0, 20))
  return {
    status: answer.status,
    ms: monotonicMs() - started,
    json: isJson ? JSON.parse(answer.body.toString()) : undefined,
  }
}

/** The calls that the process accepts. */
const calls = {
  load,
  list,
  write,
  call,
  watchFromZero,
  async openWatches(work: WatchWork) {
    const started = monotonicMs()
    watches = await WatchLoad.open(work)
    return { openMs: monotonicMs() - started }
  },
  finishWatches({ acknowledged, limitMs }: { acknowledged: number[]; limitMs: number }) {
    if (!watches) throw new Error('no watches are open')
    return watches.finish(acknowledged, limitMs)
  },
}
export type ClientCalls = typeof calls

process.on('message', async (message: { id: number; call: keyof ClientCalls; argument: never }) => {
  try {
    process.send?.({ id: message.id, result: await calls[message.call](message.argument) })
  } catch (error) {
    process.send?.({ id: message.id, error: error instanceof Error ? error.message : String(error) })
  }
})
