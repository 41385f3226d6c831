import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { boms, definition, definitions, type LargeClass, largeClasses } from '../limits/large/large-classes.js'
import { eventually } from '../support/eventually.js'
import { Connection, type Target } from './connection.js'
import { ConnectionPool } from './connection-pool.js'
import { type Measured, peerTable } from './peer-table.js'
import { cpuMs, monotonicMs, withMemory } from './process-figures.js'
import type { Metrics } from './scenario.js'
import { type MeasuredServer, ownBuild, startBuild } from './start-build.js'
import { startPeer } from './start-peer.js'

/**
 * `npm run bench:large-objects -- --reference FOLDER [--peer 1.36.4] [--only 'part of a class'] [--times 3] [--listed 100]`
 *
 * The largest legal objects on the peer and on this build, with LMDB and with etcd: time, CPU and growth of the memory of a create, an
 * update, an apply, a merge patch, a watch that begins with the object, and a list of a hundred.
 */
const text = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    reference: text,
    peer: { ...text, default: '1.36.4' },
    only: { ...text, default: '' },
    times: { ...text, default: '3' },
    listed: { ...text, default: '100' },
  },
})
const { reference } = values
if (reference === undefined) throw new Error('name the folder of the reference: --reference FOLDER')
const etcd = join(reference, 'tools/usr/bin/etcd')
const version = values.peer.split('.', 2).join('.')
const starts: Readonly<Record<string, () => Promise<MeasuredServer>>> = {
  peer: () => startPeer(join(reference, 'bin', values.peer, 'kube-apiserver'), etcd),
  LMDB: () => startBuild(ownBuild, { version }),
  etcd: () => startBuild(ownBuild, { version, etcd }),
}
const measured: Measured = new Map()
const createdAtOnce = 4

async function measureClass(
  title: string,
  { collection, name, text: body, change }: LargeClass,
  server: string,
  target: Target,
) {
  const pool = new ConnectionPool(target)
  const path = `${collection}/${name}`
  const measure = async (verb: string, ask: () => Promise<{ status: number; body: Buffer }>) => {
    const [at, cpu] = [monotonicMs(), cpuMs(target.pids)]
    const [answer, growth] = await withMemory(target.pids, ask)
    const run = { ms: monotonicMs() - at, 'cpu ms': cpuMs(target.pids) - cpu, '+MiB': growth }
    if (answer.status >= 300)
      console.error(`${server}, ${title}, ${verb}: ${answer.status} ${answer.body.toString('utf8', 0, 200)}`)
    else record(`${title}: ${verb}`, server, run)
  }
  const named = (other: string) => body.replace(`"name":"${name}"`, `"name":"${other}"`)
  const patch = (type: string) => ({ type: `application/${type}` })
  for (let time = 0; time < Number(values.times); time++) {
    await measure('create', () => pool.request('POST', collection, { body }))
    const stored = (await pool.request('GET', path)).body.toString('utf8')
    const resourceVersion = /"resourceVersion":"(\d+)"/.exec(stored)?.[1]
    const update = named(`${name}","resourceVersion":"${resourceVersion}`)
    await measure('update', () => pool.request('PUT', path, { body: update }))
    await measure('apply', () =>
      pool.request('PATCH', `${path}?fieldManager=tool&force=true`, { ...patch('apply-patch+yaml'), body }),
    )
    await measure('merge patch', () => pool.request('PATCH', path, { ...patch('merge-patch+json'), body: change }))
    await measure('watch', () => firstEvent(target, `${collection}?watch=1&fieldSelector=metadata.name%3D${name}`))
    await pool.request('DELETE', path)
  }
  const others = Array.from({ length: Number(values.listed) }, (_, index) => `${name}-${index}`)
  const waiting = [...others]
  const create = async () => {
    for (let other = waiting.pop(); other; other = waiting.pop()) await pool.post(collection, named(other))
  }
  await Promise.all(Array.from({ length: createdAtOnce }, create))
  for (let time = 0; time < Number(values.times) && others.length > 0; time++)
    await measure(`list of ${others.length}`, () => pool.request('GET', collection))
  await pool.request('DELETE', collection)
  pool.close()
}

function record(scenario: string, server: string, run: Metrics): void {
  const byServer = measured.get(scenario) ?? new Map<string, Metrics[]>()
  measured.set(scenario, byServer.set(server, [...(byServer.get(server) ?? []), run]))
}

/** Reads a watch up to the end of its first event. */
async function firstEvent(target: Target, path: string): Promise<{ status: number; body: Buffer }> {
  const connection = await Connection.open(target)
  let status = 0
  try {
    await new Promise<void>((resolve, reject) => {
      const onHead = (received: number) => {
        status = received
        if (status >= 300) resolve()
      }
      const onBody = (piece: Buffer) => {
        if (piece.includes('\n')) resolve()
      }
      connection.request('GET', path, { onHead, onBody }).catch(reject)
    })
  } finally {
    connection.close()
  }
  return { status, body: Buffer.alloc(0) }
}

const classes = Object.entries(largeClasses).filter(([title]) => title.includes(values.only))
const servers = new Map<string, MeasuredServer>()
try {
  for (const [name, start] of Object.entries(starts)) servers.set(name, await start())
  for (const { url, pids } of servers.values()) {
    const pool = new ConnectionPool({ url, pids, token: 'admintoken' })
    await pool.request('POST', '/api/v1/namespaces/default/serviceaccounts', {
      body: '{"metadata":{"name":"default"}}',
    })
    await pool.post(definitions, JSON.stringify(definition))
    await eventually('the type of the definition', async () => (await pool.request('GET', boms)).status === 200)
    pool.close()
  }
  for (const [title, make] of classes)
    for (const [name, { url, pids }] of servers)
      await measureClass(title, make(), name, { url, pids, token: 'admintoken' })
} finally {
  for (const server of servers.values()) await server.stop()
}
for (const line of peerTable(measured, Object.keys(starts))) console.log(line)
