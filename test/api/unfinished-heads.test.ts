import { connect, type Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type RunningServer, startOrch } from '../support/start-orch.js'

/** Request heads that are never finished: memory that is used before a client is authenticated. */

const limitBytes = 400_000
const headBytes = 20_000

let server: RunningServer
const heads = suite('heads that are not finished')
heads.before(async () => {
  server = await startOrch({ flags: ['--tls=false', `--max-unfinished-head-bytes=${limitBytes}`] })
})
heads.after(() => server.stop())

async function until(isTrue: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + 30_000; !isTrue(); await new Promise(resolve => setTimeout(resolve, 20))) {
    if (Date.now() > end) assert.unreachable(`timed out: ${what}`)
  }
}

interface Opened {
  readonly socket: Socket
  isClosed: boolean
  received: string
}

function open(): Opened {
  const { hostname, port } = new URL(server.url)
  const socket = connect({ host: hostname, port: Number(port) })
  const opened: Opened = { socket, isClosed: false, received: '' }
  socket.on('data', bytes => (opened.received += bytes.toString('latin1')))
  socket.on('close', () => (opened.isClosed = true))
  socket.on('error', () => {})
  return opened
}

const begin = ({ socket }: Opened, bytes: number) =>
  socket.write(`GET /version HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(bytes)}`)
const readVersion = ({ socket }: Opened) => socket.write('GET /version HTTP/1.1\r\nHost: x\r\n\r\n')

heads('are bounded in total: connections with the largest are closed, others are kept', async () => {
  const kept = open()
  readVersion(kept)
  await until(() => kept.received.includes('HTTP/1.1'), 'the answer on the connection that is kept')
  begin(kept, 100)
  const attackers = Array.from({ length: 40 }, open)
  for (const each of attackers) begin(each, headBytes)
  await until(() => attackers.filter(each => each.isClosed).length >= 20, 'half of the unfinished heads to be closed')
  assert.not(kept.isClosed)
  kept.received = ''
  kept.socket.write('\r\n\r\n')
  await until(() => kept.received.includes('HTTP/1.1'), 'a small head can still be finished')
  for (const each of [kept, ...attackers]) each.socket.destroy()
})

heads('a body does not count as a head', async () => {
  const sender = open()
  const body = 'x'.repeat(2 * limitBytes)
  sender.socket.write(`GET /version HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  await until(() => sender.received.includes('HTTP/1.1 200'), 'the answer to a request with a large body')
  // Two checks of all connections.
  await new Promise(resolve => setTimeout(resolve, 2500))
  assert.not(sender.isClosed)
  sender.received = ''
  readVersion(sender)
  await until(() => sender.received.includes('HTTP/1.1 200'), 'the answer to the next request')
  sender.socket.destroy()
})

heads.run()
