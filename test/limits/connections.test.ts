import { execFileSync } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { type AttackedServer, head, missingProgram, patientMs, serverKinds, startAttacked } from './attacked-server.js'

const maps = '/api/v1/namespaces/default/configmaps'

/** A truncated TLS hello. */
const halfHello = Buffer.from([0x16, 3, 1, 2, 0, 1, 0])

interface Client {
  readonly socket: Socket
  isClosed: boolean
  received: string
}
/** A connection without a handshake. */
function plainClient(port: number): Client {
  return watched(connect(port, '127.0.0.1'))
}
function watched(socket: Socket | TLSSocket): Client {
  const client: Client = { socket, isClosed: false, received: '' }
  socket.on('error', () => {})
  socket.on('data', chunk => (client.received += chunk))
  for (const event of ['close', 'end']) socket.on(event, () => (client.isClosed = true))
  socket.resume()
  return client
}
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
const closed = (clients: readonly Client[]): number => clients.filter(({ isClosed }) => isClosed).length
const allClosed = (clients: readonly Client[]) =>
  eventually('the server to close them', () => closed(clients) === clients.length, patientMs)
const end = (clients: readonly Client[]) => {
  for (const { socket } of clients) socket.destroy()
}
const answers = async (server: AttackedServer) => assert.is((await server.ask('GET', maps)).status, 200)

/** Sends a byte now and then until the server closes the connection. */
async function drip(server: AttackedServer, begin: string, byte: string): Promise<Client[]> {
  const clients = await Promise.all(many(10, async () => watched(await server.open())))
  for (const { socket } of clients) socket.write(begin)
  const timer = setInterval(() => {
    for (const { socket, isClosed } of clients) if (!isClosed) socket.write(byte)
  }, 200)
  await allClosed(clients).finally(() => clearInterval(timer))
  end(clients)
  return clients
}

for (const kind of serverKinds) {
  const slow = suite(`slow connections, ${kind}`)
  if (missingProgram(kind)) {
    console.log('SKIP etcd is not installed')
    continue
  }
  let server: AttackedServer
  slow.before(async () => {
    const limits = [
      '--tls-handshake-timeout=2s',
      '--header-timeout=3s',
      '--slow-client-timeout=3s',
      '--idle-timeout=2s',
    ]
    server = await startAttacked(kind, limits)
  })
  slow.after(() => server?.stop())

  for (const [what, bytes] of Object.entries({
    nothing: '',
    'half a message': halfHello,
    'plain HTTP': 'GET / HTTP/1.1\r\n\r\n',
  }))
    slow(`a handshake with ${what} times out, and leaks no descriptor`, async () => {
      const clients = many(60, () => plainClient(server.port))
      for (const { socket } of clients) socket.write(bytes)
      await allClosed(clients)
      await server.atRest()
      end(clients)
    })
  slow('a client that disconnects during its handshake leaks no descriptor', async () => {
    const clients = many(60, () => plainClient(server.port))
    for (const { socket } of clients) socket.write(halfHello)
    await new Promise(resolve => setTimeout(resolve, 200))
    end(clients)
    await server.atRest()
  })
  slow('connections without requests are closed', async () => {
    const clients = await Promise.all(many(20, async () => watched(await server.open())))
    await allClosed(clients)
    await server.atRest()
    end(clients)
  })
  slow('idle connections are closed after the timeout, and not before', async () => {
    const clients = await Promise.all(many(20, async () => watched(await server.open())))
    const ask = () => {
      for (const { socket } of clients) socket.write(head('GET', '/version'))
    }
    const answered = (times: number) =>
      eventually('answers', () => clients.every(({ received }) => received.split('HTTP/1.1 200 ').length > times))
    ask()
    await answered(1)
    ask()
    await answered(2)
    await allClosed(clients)
    for (const { received } of clients) assert.not.match(received, ' 408 ')
    await server.atRest()
    end(clients)
  })
  slow('headers that arrive too slowly time out', async () => {
    const clients = await drip(server, 'GET /version HTTP/1.1\r\nHost: server\r\nX-Drip: ', 'x')
    for (const { received } of clients) assert.match(received, /^HTTP\/1.1 408 /)
    await server.atRest()
  })
  slow('a body that arrives too slowly times out with an error', async () => {
    const begin = `${head('POST', maps, 'Content-Type: application/json', 'Content-Length: 100000')}{`
    const clients = await drip(server, begin, ' ')
    for (const { received } of clients) {
      assert.match(received, /^HTTP\/1.1 408 /)
      assert.match(received, 'the request body arrived too slowly')
    }
    await server.atRest()
    await answers(server)
  })
  slow('the body of a rejected request times out, too', async () => {
    const begin = `POST ${maps} HTTP/1.1\r\nHost: server\r\nAuthorization: Bearer nobody\r\nContent-Length: 100000\r\n\r\n{`
    for (const { received } of await drip(server, begin, ' ')) assert.match(received, /^HTTP\/1.1 401 /)
    await server.atRest()
  })
  slow.run()

  const counted = suite(`numbers of connections, ${kind}`)
  const withLimits =
    (flags: readonly string[], test: (server: AttackedServer) => Promise<void>, openFiles?: number) => async () => {
      const limited = await startAttacked(kind, flags, openFiles === undefined ? {} : { openFiles })
      try {
        await test(limited)
      } finally {
        await limited.stop()
      }
    }
  counted(
    'one address gets at most its limit of connections, and as many again when they are closed',
    withLimits(['--max-connections-per-address=40'], async limited => {
      for (let round = 0; round < 2; round++) {
        const clients = many(60, () => plainClient(limited.port))
        await eventually('the rest to be refused', () => closed(clients) >= 20, patientMs)
        // Each worker has a share of the limit, and connections are not distributed evenly.
        assert.ok(closed(clients) <= (kind === 'two workers' ? 30 : 20), `${closed(clients)} refused`)
        end(clients)
        await limited.atRest()
      }
      assert.ok((await limited.metrics())('apiserver_closed_connections_total', 'too-many-of-address') >= 20)
    }),
  )
  counted(
    'idle connections are closed when there are too many, and active requests continue',
    withLimits(['--max-connections=40'], async limited => {
      const watch = watched(await limited.open())
      watch.socket.write(head('GET', '/api/v1/configmaps?watch=1'))
      await eventually('the watch', () => watch.received !== '', patientMs)
      const clients = many(200, () => plainClient(limited.port))
      await eventually('most to be closed', () => closed(clients) >= 150, patientMs)
      await answers(limited)
      assert.is(watch.isClosed, false)
      end([...clients, watch])
      await limited.atRest()
    }),
  )
  counted(
    'more connections than open files are allowed: the server keeps responding, and recovers',
    withLimits(
      ['--max-connections=0', '--max-connections-per-address=0'],
      async limited => {
        for (let round = 0; round < 3; round++) {
          const clients = many(kind === 'two workers' ? 640 : 320, () => plainClient(limited.port))
          await eventually('all to be connected or refused', () => clients.every(c => !c.socket.connecting), patientMs)
          await answers(limited)
          await answers(limited)
          end(clients)
          await limited.atRest()
        }
      },
      300,
    ),
  )
  counted(
    'a server that runs out of file descriptors continues when some are free again',
    withLimits([], async limited => {
      const some = String(limited.descriptors() + 10)
      execFileSync('prlimit', ['--pid', String(limited.pid), `--nofile=${some}:4096`])
      const clients = many(60, () => plainClient(limited.port))
      await eventually('some to be refused', () => closed(clients) >= 10, patientMs)
      end(clients)
      await limited.atRest()
      await answers(limited)
    }),
  )
  counted.run()
}
