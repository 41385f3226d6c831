import * as http2 from 'node:http2'
import { parseArgs } from 'node:util'
import { Client, credentials } from '@grpc/grpc-js'
import { methods } from '../../plugins/storage-etcd/protocol.js'
import { startCluster } from '../../plugins/storage-etcd/testing/etcd-cluster.js'
import { UnaryChannel } from '../../plugins/storage-etcd/unary-channel.js'
import { flagsOf } from '../golden/server-flags.js'
import { startOrch } from '../support/start-orch.js'
import { ConnectionPool } from './connection-pool.js'
import { cpuMs, median } from './process-figures.js'

/**
 * `node dist/test/bench/etcd-call-cost.js [--rounds 10]`
 *
 * What the HTTP/2 client of the etcd engine saves: puts with it, with plain node:http2 and with @grpc/grpc-js alternate against one etcd, and the
 * difference to the better of these two is compared with the CPU of a complete write, a create of a ConfigMap on a server with the engine. The client must
 * save at least 15 % of that.
 */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10' } } })
const rounds = Number(values.rounds)
const [calls, atOnce, writes] = [2000, 16, 2000]
const leastShare = 0.15

const cluster = await startCluster()
const url = new URL(cluster.servers[0]!)
const message = (n: number) =>
  methods.put.serialize({ key: Buffer.from(`/bench/${n % 100}`), value: Buffer.alloc(700, 'x') })

/** Runs `count` operations, `atOnce` at a time. */
async function together(count: number, run: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    for (let n = next++; n < count; n = next++) await run(n)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

const channel = new UnaryChannel({ host: url.hostname, port: Number(url.port), tls: undefined })
const session = http2.connect(url)
/** A unary gRPC call with plain node:http2. */
function callPlainly(body: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': methods.put.path,
      te: 'trailers',
      'content-type': 'application/grpc',
    })
    const received: Buffer[] = []
    stream.on('data', piece => received.push(piece))
    stream.on('trailers', ({ 'grpc-status': status }) => {
      if (status === '0') resolve(Buffer.concat(received).subarray(5))
      else reject(new Error(`grpc-status ${String(status)}`))
    })
    stream.on('error', reject)
    const head = Buffer.alloc(5)
    head.writeUInt32BE(body.length, 1)
    stream.end(Buffer.concat([head, body]))
  })
}
const library = new Client(url.host, credentials.createInsecure())
/** The same with @grpc/grpc-js. */
const callByLibrary = (body: Buffer): Promise<unknown> =>
  new Promise((resolve, reject) =>
    library.makeUnaryRequest(
      methods.put.path,
      (bytes: Buffer) => bytes,
      (bytes: Buffer) => bytes,
      body,
      (error, answer) => (error ? reject(error) : resolve(answer)),
    ),
  )
const clients: Readonly<Record<string, (n: number) => Promise<unknown>>> = {
  own: n => channel.request(methods.put.path, message(n), 10_000),
  'node:http2': n => callPlainly(message(n)),
  '@grpc/grpc-js': n => callByLibrary(message(n)),
}

/** CPU of one call in this process, in ms. */
async function costOf(run: (n: number) => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await together(calls, run)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / calls
}

const costs = new Map(Object.keys(clients).map(name => [name, [] as number[]]))
for (const run of Object.values(clients)) await together(calls, run)
for (let round = 0; round < rounds; round++) {
  const order = Object.entries(clients)
  if (round % 2 === 1) order.reverse()
  for (const [name, run] of order) costs.get(name)?.push(await costOf(run))
}
channel.close()
session.close()
library.close()

const server = await startOrch({
  flags: [...(await flagsOf('base')), '--storage-engine=etcd', `--etcd-servers=${cluster.servers.join()}`],
})
const pool = new ConnectionPool({ url: server.url, token: 'admintoken', pids: [server.pid] })
const body = (n: string) => JSON.stringify({ metadata: { name: n }, data: { text: 'x'.repeat(600) } })
const create = (prefix: string) => (n: number) =>
  pool.post('/api/v1/namespaces/default/configmaps', body(`${prefix}-${n}`))
await together(writes, create('warm-up'))
const perWrite: number[] = []
for (let round = 0; round < 3; round++) {
  const before = cpuMs([server.pid])
  await together(writes, create(`round-${round}`))
  perWrite.push((cpuMs([server.pid]) - before) / writes)
}
await server.stop()
await cluster.stop()

const [own = 0, plain = 0, byLibrary = 0] = [...costs.values()].map(median)
const write = median(perWrite)
const best = Math.min(plain, byLibrary)
const share = (best - own) / (write - own + best)
for (const [name, measured] of costs) console.log(`CPU of a call by ${name}: ${median(measured).toFixed(3)} ms`)
console.log(
  `CPU of a write: ${write.toFixed(3)} ms; with the better of the others ${(write - own + best).toFixed(3)} ms`,
)
console.log(
  `the built-in client saves ${(100 * share).toFixed(0)} % of the CPU of a write; the minimum is ${100 * leastShare} %`,
)
