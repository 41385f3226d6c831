import { parseArgs } from 'node:util'
import { flagsOf } from '../golden/server-flags.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { readStream } from './client-lists.js'
import { Connection } from './connection.js'
import { ConnectionPool } from './connection-pool.js'
import { definition, definitionsPath, objectsPath } from './custom-type-load.js'
import { longestTurn, probed } from './longest-turn.js'
import { median, monotonicMs, threadsCpuMs } from './process-figures.js'
import { publishedTypes } from './published-types.js'
import type { Metrics } from './scenario.js'
import { tableHead, tableRows } from './table.js'

/**
 * `npm run bench:clients -- [--only published,stream,discovery,documents]`
 *
 * The cost of current clients: definitions as projects publish them, streaming lists, discovery in one document, and the documents of
 * 2,000 types.
 */
const { values } = parseArgs({ options: { only: { type: 'string', default: 'published,stream,discovery,documents' } } })
const token = 'admintoken'
const accept = 'Accept: application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList\r\n'
const flags = await flagsOf('base', '1.36')
const parts: Readonly<Record<string, () => Promise<Metrics>>> = {
  published: () => publishedTypes(flags),
  stream: streamingList,
  discovery: aggregatedDiscovery,
  documents: documentsOfMany,
}
console.log(tableHead)
for (const name of values.only.split(',')) {
  const part = parts[name]
  if (!part) throw new Error(`there is no part ${name}: ${Object.keys(parts).join(', ')}`)
  for (const line of tableRows(`clients-${name}`, [await part()])) console.log(line)
}

async function withServer(
  run: (server: RunningServer, pool: ConnectionPool) => Promise<Metrics>,
  env: Readonly<Record<string, string>> = {},
): Promise<Metrics> {
  const server = await startOrch({ flags, isBundled: true, env })
  const pool = new ConnectionPool({ url: server.url, token, pids: [server.pid] })
  try {
    return await run(server, pool)
  } finally {
    pool.close()
    await server.stop()
  }
}

/** The CPU of the server for some work, in ms. */
async function cost({ pid }: RunningServer, work: () => Promise<unknown>): Promise<number> {
  const before = threadsCpuMs(pid)
  await work()
  return threadsCpuMs(pid) - before
}

/** Both variants alternate, so that other load slows both. */
function streamingList(): Promise<Metrics> {
  const objects = 10_000
  const rounds = 15
  const path = '/api/v1/namespaces/default/configmaps'
  return withServer(async (server, pool) => {
    const data = JSON.stringify({ payload: 'x'.repeat(400) })
    for (let n = 0; n < objects; n += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, i) => pool.post(path, `{"metadata":{"name":"c-${n + i}"},"data":${data}}`)),
      )
    const [lists, streams]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      lists.push(await cost(server, () => pool.request('GET', path)))
      // A watch occupies its connection, whose handshake must not be measured.
      const connection = await Connection.open({ url: server.url, token, pids: [server.pid] })
      await connection.request('GET', '/version')
      streams.push(await cost(server, () => readStream(connection, { namespace: 'default', expected: objects })))
      connection.close()
    }
    const best = { list: Math.min(...lists), stream: Math.min(...streams) }
    return {
      'list cpu ms': median(lists),
      'streaming list cpu ms': median(streams),
      'cpu beside list': median(streams) / median(lists),
      'cpu beside list, best': best.stream / best.list,
    }
  })
}

function aggregatedDiscovery(): Promise<Metrics> {
  const types = 300
  const times = 200
  return withServer(async (server, pool) => {
    await install(pool, types)
    const ask = (more = '') => pool.request('GET', '/apis', { headers: `${accept}${more}` })
    const first = await cost(server, ask)
    const { bytes } = await ask()
    const each = async (more: string) => {
      for (let n = 0; n < 10; n++) await ask(more)
      const all = await cost(server, async () => {
        for (let n = 0; n < times; n++) await ask(more)
      })
      return all / times
    }
    return {
      'document KiB': bytes / 1024,
      'first cpu ms': first,
      // As current clients request it.
      'cached cpu ms': await each('Accept-Encoding: gzip\r\n'),
      'cached, as it is, cpu ms': await each(''),
    }
  })
}

async function install(pool: ConnectionPool, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await pool.post(definitionsPath, definition(n))
  while ((await pool.request('GET', objectsPath('default', count - 1))).status !== 200);
}

/** Each document is requested after a change, so that it is regenerated. */
function documentsOfMany(): Promise<Metrics> {
  const types = 2000
  return withServer(async (server, pool) => {
    await install(pool, types)
    const figures: Metrics = {}
    const documents: readonly (readonly [name: string, path: string, headers?: string])[] = [
      ['discovery', '/apis/bench.example.com/v1'],
      ['aggregated discovery', '/apis', accept],
      ['openapi v2', '/openapi/v2'],
      ['openapi v3', '/openapi/v3/apis/bench.example.com/v1'],
      ['openapi v3 index', '/openapi/v3'],
    ]
    let next = types
    for (const [name, path, headers = ''] of documents) {
      await pool.post(definitionsPath, definition(next))
      while ((await pool.request('GET', objectsPath('default', next))).status !== 200);
      next++
      const startedAt = monotonicMs()
      const longest = await longestTurn(server, async () => {
        const { status } = await pool.request('GET', path, { headers })
        if (status !== 200) throw new Error(`${path}: ${status}`)
      })
      Object.assign(figures, { [`${name} longest turn ms`]: longest, [`${name} ms`]: monotonicMs() - startedAt })
    }
    return figures
  }, probed)
}
