import type { TLSSocket } from 'node:tls'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { type AttackedServer, head, missingProgram, patientMs, serverKinds, startAttacked } from './attacked-server.js'

const mebibyte = 2 ** 20
const maps = '/api/v1/namespaces/default/configmaps'
const all = '/api/v1/configmaps'
const objects = 20
const unsentLimit = 32 * mebibyte
/** A heap that is kept small, so that garbage is collected in time. */
const heapLimit = 224 * mebibyte
/** The heap, what waits, and twice as much again while it is encrypted and sent: 320 MiB, whatever the engine and the number of workers. */
const allowedGrowth = 3 * unsentLimit + heapLimit
const places = 20
/** The number of readers of each kind. Together they ask for a GiB, which is three times what the server may grow by, and hold more places than there are. */
const readers = 5

const protobuf = 'Accept: application/vnd.orch.protobuf'
const table = 'Accept: application/json;as=Table;v=v1;g=meta.orch.io'

/** Responses that are never read: more than a socket buffers, if necessary by many requests. */
const unread: Record<string, string> = {
  'a list': head('GET', all),
  'a list for people': head('GET', `${all}?pretty=true`),
  'a page of a list': head('GET', `${all}?limit=15`),
  'a small page, many times': head('GET', `${all}?limit=5`).repeat(4),
  'a list as Protobuf': head('GET', all, protobuf),
  'a page as Protobuf': head('GET', `${all}?limit=15`, protobuf),
  'a list as a Table': head('GET', `${all}?includeObject=Object`, table),
  objects: head('GET', `${maps}/filled-0`).repeat(20),
  'objects as Protobuf': head('GET', `${maps}/filled-0`, protobuf).repeat(20),
  'objects as YAML': head('GET', `${maps}/small`, 'Accept: application/yaml').repeat(60),
  OpenAPI: head('GET', '/openapi/v2').repeat(20),
  'a watch from the beginning': head('GET', `${all}?watch=1`),
}

const object = (name: string, text: string) => ({ metadata: { name }, data: { text } })
async function fill(server: AttackedServer): Promise<void> {
  const text = 'x'.repeat(900_000)
  for (let i = 0; i < objects; i++) assert.is((await server.ask('POST', maps, object(`filled-${i}`, text))).status, 201)
  assert.is((await server.ask('POST', maps, object('small', 'x'.repeat(60_000)))).status, 201)
}

/** Opens connections that read nothing, and always closes them. */
async function withSockets(
  server: AttackedServer,
  count: number,
  use: (sockets: readonly TLSSocket[]) => Promise<void>,
): Promise<void> {
  const sockets: TLSSocket[] = []
  try {
    while (sockets.length < count) sockets.push((await server.open()).on('error', () => {}))
    await use(sockets)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

/** An ordinary user, who needs a seat. */
const isServed = async (server: AttackedServer) =>
  (await server.ask('GET', `${maps}/small`, undefined, 'anntoken')).status === 200

/** The peak memory of the server during some work. */
async function peakOf(server: AttackedServer, happening: Promise<void>): Promise<number> {
  let most = 0
  const timer = setInterval(() => {
    most = Math.max(most, server.residentBytes())
  }, 100)
  await happening.finally(() => clearInterval(timer))
  return most
}

for (const kind of serverKinds) {
  const stalled = suite(`readers that stall, ${kind}`)
  if (missingProgram(kind)) {
    console.log('SKIP etcd is not installed')
    continue
  }
  let server: AttackedServer
  stalled.before(async () => {
    const flags = [
      `--max-requests-inflight=${places}`,
      '--slow-client-timeout=5s',
      '--idle-timeout=2s',
      `--max-unsent-response-bytes=${unsentLimit}`,
    ]
    const env = { NODE_OPTIONS: `--max-old-space-size=${heapLimit / mebibyte}` }
    server = await startAttacked(kind, flags, { env })
    await fill(server)
  })
  stalled.after(() => server?.stop())

  stalled(
    'others are served, memory is bounded, connections are closed, and nothing is leaked, whatever is not read',
    async () => {
      const texts = Object.values(unread)
      const before = server.residentBytes()
      const most = await peakOf(
        server,
        withSockets(server, texts.length * readers, async sockets => {
          for (const [index, socket] of sockets.entries()) socket.write(texts[index % texts.length]!)
          await eventually('somebody else to be served', () => isServed(server), patientMs)
          await server.atRest()
        }),
      )
      const grown = Math.round((most - before) / mebibyte)
      assert.ok(grown * mebibyte < allowedGrowth, `${grown} MiB more than before`)
    },
  )
  stalled('a watch whose events are not read ends, and its events do not accumulate', async () => {
    const before = server.residentBytes()
    const most = await peakOf(
      server,
      withSockets(server, 20, async sockets => {
        const { text } = await server.ask('GET', `${maps}?limit=1`)
        const from = JSON.parse(text).metadata.resourceVersion
        for (const socket of sockets) socket.write(head('GET', `${all}?watch=1&resourceVersion=${from}`))
        const watches = async () => (await server.metrics())('apiserver_longrunning_requests')
        await eventually('all watches', async () => (await watches()) === sockets.length, patientMs)
        for (let i = 0; i < 20; i++)
          await server.ask('PUT', `${maps}/filled-0`, object('filled-0', `${i}`.padEnd(900_000, 'y')))
        await server.atRest()
      }),
    )
    assert.ok(most - before < allowedGrowth, `${Math.round((most - before) / mebibyte)} MiB more than before`)
  })
  stalled.run()
}

const steady = suite('a reader that is slow but steady')
steady('is disconnected after the response timeout', async () => {
  const flags = ['--response-timeout=4s', '--slow-client-timeout=60s', '--min-transfer-rate=1', '--idle-timeout=2s']
  const server = await startAttacked('one process', flags)
  try {
    await fill(server)
    await withSockets(server, 1, async ([socket]) => {
      socket?.write(head('GET', all))
      const sip = setInterval(() => socket?.read(16 * 1024), 100)
      await server.atRest().finally(() => clearInterval(sip))
    })
    assert.is((await server.metrics())('apiserver_closed_connections_total', 'late-reader'), 1)
  } finally {
    await server.stop()
  }
})
steady.run()
