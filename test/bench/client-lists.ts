import { type Cost, openConnections, startMeters } from './client-load.js'
import { collectionPath } from './config-map-load.js'
import type { Connection, Target } from './connection.js'
import { MarkerCounter } from './marker-counter.js'
import { monotonicMs } from './process-figures.js'

/** JSON, Protobuf, or a watch that begins with the whole collection. */
export type ListForm = 'json' | 'protobuf' | 'stream'
export interface Collection {
  readonly namespace: string
  readonly query?: string
  /** Number of items every list must have. */
  readonly expected: number
}
export interface ListWork extends Collection {
  readonly target: Target
  readonly limit?: number
  readonly form?: ListForm
  readonly clients: number
  readonly times: number
}

/** What every item contains once. In Protobuf: the field uid of the metadata, with its length; no payload contains that. */
const itemMarkers: Readonly<Record<ListForm, string>> = { json: '"uid":"', protobuf: '*$', stream: '"uid":"' }

/** Clients that read a whole collection, in pages if there is a limit. */
export async function list(work: ListWork): Promise<Cost & { latencies: Float64Array; bytes: number }> {
  const { clients, times, form = 'json' } = work
  const target = form === 'protobuf' ? { ...work.target, accept: 'application/vnd.kubernetes.protobuf' } : work.target
  // A watch occupies its connection, and a handshake must not be measured.
  const each = form === 'stream' ? times : 1
  const connections = await openConnections(target, clients * each)
  const read = form === 'stream' ? readStream : readAll
  const cost = startMeters(target)
  const latencies: number[] = []
  let bytes = 0
  const readTimes = async (client: number) => {
    for (let time = 0; time < times; time++) {
      const started = monotonicMs()
      bytes += await read(connections[client * each + (time % each)]!, work)
      latencies.push(monotonicMs() - started)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => readTimes(client)))
  const spent = cost()
  for (const connection of connections) connection.close()
  return { ...spent, latencies: Float64Array.from(latencies).sort(), bytes }
}

async function readAll(connection: Connection, work: ListWork): Promise<number> {
  const items = new MarkerCounter(itemMarkers[work.form ?? 'json'])
  let bytes = 0
  let token = ''
  do {
    const kept: Buffer[] = []
    const page = work.limit ? `&limit=${work.limit}${token && `&continue=${encodeURIComponent(token)}`}` : ''
    const answer = await connection.request('GET', `${collectionPath(work.namespace)}?${work.query ?? ''}${page}`, {
      onBody: piece => {
        items.read(piece)
        if (work.limit) kept.push(piece)
      },
    })
    if (answer.status !== 200) throw new Error(`list: ${answer.status}`)
    bytes += answer.bytes
    token = /"continue":"([^"]*)"/.exec(Buffer.concat(kept).toString('latin1', 0, 800))?.[1] ?? ''
  } while (token)
  expectItems(items.count, work)
  return bytes
}

/** Reads a streaming list up to the bookmark that ends it, which has no uid. */
export async function readStream(connection: Connection, work: Collection): Promise<number> {
  const items = new MarkerCounter(itemMarkers.stream)
  const end = new MarkerCounter('k8s.io/initial-events-end')
  const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'
  let bytes = 0
  await new Promise<void>((resolve, reject) => {
    const onHead = (status: number) => status !== 200 && reject(new Error(`streaming list: ${status}`))
    const onBody = (piece: Buffer) => {
      items.read(piece)
      end.read(piece)
      bytes += piece.length
      if (end.count > 0) resolve()
    }
    connection.request('GET', `${collectionPath(work.namespace)}?${query}`, { onHead, onBody }).catch(reject)
  })
  expectItems(items.count, work)
  return bytes
}

function expectItems(count: number, { query = '', expected }: Collection): void {
  if (count !== expected) throw new Error(`list ${query}: expected ${expected} items, got ${count}`)
}
