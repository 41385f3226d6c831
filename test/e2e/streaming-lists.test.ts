import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isEtcdInstalled, startCluster } from '../../plugins/storage-etcd/testing/etcd-cluster.js'
import { eventually } from '../support/eventually.js'
import { startOrch } from '../support/start-orch.js'
import { StreamingInformer } from '../support/streaming-informer.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { Connection } from '../workers/connection.js'
import { startWorkers } from '../workers/worker-server.js'

/** Two connections to the same data: to one process, to two workers, or to two servers that share etcd. */
interface Place {
  readonly connections: readonly [Connection, Connection]
  stop(): Promise<void>
}

const historySeconds = 2
const flags = [`--watch-history=${historySeconds}s`, '--controllers=*,-root-ca-cert-publisher']
const patientMs = 60_000

async function startOne(folder: string, name: string, more: readonly string[] = []) {
  const tokens = join(folder, 'tokens.csv')
  writeFileSync(tokens, 'admintoken,admin,1,system:masters\n')
  const dataDir = join(folder, name)
  const running = await startOrch({
    dataDir,
    limitMs: patientMs,
    flags: [`--token-auth-file=${tokens}`, '--authorization-mode=RBAC', ...flags, ...more],
  })
  const connection = new Connection({ url: running.url, ca: readFileSync(join(dataDir, 'pki', 'ca.crt'), 'utf8') })
  return { running, connection }
}

const places: Readonly<Record<string, () => Promise<Place>>> = {
  async LMDB() {
    const folder = temporaryFolder()
    const { running, connection } = await startOne(folder.path, 'data')
    const stop = async () => {
      await running.stop()
      folder.remove()
    }
    return { connections: [connection, connection], stop }
  },
  async 'two workers'() {
    const server = await startWorkers(2, ...flags)
    const [one, other] = await server.oneToEach()
    return { connections: [one!, other!], stop: () => server.stop() }
  },
  ...(isEtcdInstalled()
    ? {
        async 'two servers on etcd'() {
          const folder = temporaryFolder()
          const etcd = await startCluster()
          const more = ['--storage-engine=etcd', `--etcd-servers=${etcd.servers.join()}`]
          const one = await startOne(folder.path, 'one', more)
          const other = await startOne(folder.path, 'other', more)
          const stop = async () => {
            await Promise.all([one.running.stop(), other.running.stop()])
            await etcd.stop()
            folder.remove()
          }
          return { connections: [one.connection, other.connection], stop }
        },
      }
    : {}),
}

const maps = '/api/v1/namespaces/default/configmaps'
const definitions = '/apis/apiextensions.orch.io/v1/customresourcedefinitions'
const things = '/apis/stream.test/v1/things'
const definition = (properties: object, versions: readonly string[] = ['v1']) => ({
  metadata: { name: 'things.stream.test' },
  spec: {
    group: 'stream.test',
    scope: 'Cluster',
    names: { plural: 'things', kind: 'Thing' },
    versions: versions.map((name, index) => ({
      name,
      served: true,
      storage: index === 0,
      schema: { openAPIV3Schema: { type: 'object', properties } },
    })),
  },
})

/** Creates, changes and deletes objects, through both connections in turn. */
async function write(
  place: Place,
  path: string,
  lane: string,
  rounds: number,
  before: (round: number) => Promise<void> = async () => {},
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await before(round)
    const connection = place.connections[round % 2]!
    const name = `${lane}-${round % 7}`
    const found = await connection.get(`${path}/${name}`)
    if (found.status === 404) await connection.post(path, { metadata: { name, labels: { lane } } })
    else if (round % 3 === 0) await connection.delete(`${path}/${name}`)
    else await connection.merge(`${path}/${name}`, { metadata: { labels: { round: String(round) } } })
  }
}

/** Waits until an informer matches a list, and asserts that it had no errors. */
async function assertSame(informer: StreamingInformer, connection: Connection, path: string): Promise<void> {
  const listed = await connection.get(path)
  const wanted = (listed.body.items ?? []).map(({ metadata }) => [metadata.name, Number(metadata.resourceVersion)])
  const inOrder = (entries: Iterable<unknown[]>) =>
    [...entries].sort(([one], [other]) => (String(one) < String(other) ? -1 : 1))
  await eventually(
    'the informer to have what is listed',
    () => JSON.stringify(inOrder(informer.objects)) === JSON.stringify(inOrder(wanted)),
    patientMs,
  )
  assert.equal(informer.problems, [])
}

for (const [title, start] of Object.entries(places)) {
  const streams = suite(`streaming lists: ${title}`)
  let starting: Promise<Place> | undefined
  const place = () => (starting ??= start())
  streams.after(async () => (await starting)?.stop())

  streams('an informer stays consistent across short streams, broken ones and changes of server', async () => {
    const here = await place()
    const informers = [0, 1].map(index => new StreamingInformer(here.connections[index]!, maps))
    const following = informers.map(informer => informer.follow(1))
    let breaks = 0
    const breakStreams = async (round: number) => {
      if (round % 20 !== 0) return
      breaks++
      for (const [index, informer] of informers.entries()) {
        informer.moveTo(here.connections[(index + breaks) % 2]!)
        // Every other time it lists again, like a client that restarts.
        const before = breaks % 2 === 1 ? informer.counts.resumes : informer.counts.states
        if (breaks % 2 === 0) informer.version = undefined
        informer.disconnect()
        const isBack = () => (breaks % 2 === 1 ? informer.counts.resumes : informer.counts.states) > before
        await eventually('the informer to be back', isBack, patientMs)
      }
    }
    const writing = ['b', 'c'].map(lane => write(here, maps, lane, 120))
    await Promise.all([write(here, maps, 'a', 120, breakStreams), ...writing])
    for (const informer of informers) await assertSame(informer, here.connections[0], maps)
    for (const informer of informers) informer.stop()
    await Promise.all(following)
    for (const { counts } of informers) {
      assert.ok(counts.states >= 3, `${counts.states} states were complete`)
      assert.ok(counts.resumes >= 3, `went on from ${counts.resumes} versions`)
      assert.ok(counts.events > 100, `heard of ${counts.events} events`)
    }
  })

  streams('an informer whose version was compacted lists again', async () => {
    const here = await place()
    const informer = new StreamingInformer(here.connections[1], maps)
    await informer.stream(1)
    const old = informer.version
    await eventually(
      'history to be compacted',
      async () => {
        await here.connections[0].post(maps, { metadata: { name: `late-${Date.now()}` } })
        const exact = await here.connections[1].get(`${maps}?resourceVersion=${old}&resourceVersionMatch=Exact`)
        return exact.status === 410
      },
      patientMs,
    )
    const following = informer.follow(1)
    await assertSame(informer, here.connections[0], maps)
    informer.stop()
    await following
    assert.is(informer.counts.expired, 1)
    assert.is(informer.counts.states, 2)
  })

  streams('an informer of custom resources survives changes, deletion and recreation of the definition', async () => {
    const here = await place()
    const [one, other] = here.connections
    const isServed = async () => (await one.get(things)).status === 200 && (await other.get(things)).status === 200
    const isGone = async () => (await one.get(things)).status === 404 && (await other.get(things)).status === 404
    assert.is((await one.post(definitions, definition({}))).status, 201)
    await eventually('the type to be served', isServed, patientMs)
    const informer = new StreamingInformer(other, things)
    const following = informer.follow(2)
    await write(here, things, 'first', 10)
    await assertSame(informer, one, things)
    const { body } = await one.get(`${definitions}/things.stream.test`)
    const changed = definition({ spec: { type: 'object' } }, ['v1', 'v2'])
    assert.is(
      (await one.put(`${definitions}/things.stream.test`, { ...body, ...changed, metadata: body.metadata })).status,
      200,
    )
    await write(here, things, 'second', 10)
    await assertSame(informer, one, things)
    assert.is((await one.delete(`${definitions}/things.stream.test`)).status, 200)
    await eventually('the type to be gone', isGone, patientMs)
    assert.is((await other.post(definitions, definition({}))).status, 201)
    await eventually('the type to be served again', isServed, patientMs)
    await write(here, things, 'third', 10)
    await assertSame(informer, one, things)
    informer.stop()
    await following
  })

  streams.run()
}
