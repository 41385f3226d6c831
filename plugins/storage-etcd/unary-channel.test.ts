import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { status } from '@grpc/grpc-js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { CallError } from './call-error.js'
import { UnaryChannel } from './unary-channel.js'

const channels = suite('requests with one answer, against the HTTP/2 of Node')

interface Peer {
  readonly server: Http2Server
  readonly channel: UnaryChannel
  readonly sessions: ServerHttp2Session[]
}
type Answer = (stream: ServerHttp2Stream, message: Buffer, path: string) => void

async function withPeer(answer: Answer, use: (peer: Peer) => Promise<void>, settings = {}): Promise<void> {
  const server = createServer({ settings })
  const sessions: ServerHttp2Session[] = []
  server.on('session', session => sessions.push(session))
  server.on('stream', (stream, headers) => {
    const parts: Buffer[] = []
    stream.on('error', () => {})
    stream.on('data', (part: Buffer) => parts.push(part))
    stream.on('end', () => answer(stream, Buffer.concat(parts).subarray(5), String(headers[':path'])))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const channel = new UnaryChannel({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, tls: undefined })
  try {
    await use({ server, channel, sessions })
  } finally {
    channel.close()
    for (const session of sessions) session.destroy()
    await new Promise(resolve => server.close(resolve))
  }
}
function framed(message: Buffer): Buffer {
  const header = Buffer.alloc(5)
  header.writeUInt32BE(message.length, 1)
  return Buffer.concat([header, message])
}
function reply(stream: ServerHttp2Stream, message: Buffer | undefined, trailers: Record<string, string>): void {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers(trailers))
  stream.end(message && framed(message))
}
const echo: Answer = (stream, message) => reply(stream, message, { 'grpc-status': '0' })
const failureOf = (asked: Promise<unknown>): Promise<CallError> =>
  asked.then(
    () => assert.unreachable('it was answered'),
    (error: CallError) => error,
  ) as Promise<CallError>

channels('concurrent requests get their own answers, small and larger than every window', () =>
  withPeer(echo, async ({ channel }) => {
    const sizes = [0, 1, 16_379, 16_380, 65_530, 65_535, 300_000, 3_000_000, 7]
    const messages = sizes.map((size, index) => Buffer.alloc(size, index + 1))
    const answers = await Promise.all(messages.map(message => channel.request('/a/B', message, 30_000)))
    assert.ok(answers.every((answer, index) => answer.equals(messages[index]!)))
  }),
)

channels('the flow-control window of the connection is refilled', () =>
  withPeer(echo, async ({ channel, sessions }) => {
    const message = Buffer.alloc(2 ** 20, 1)
    for (let round = 0; round < 20; round++) assert.is((await channel.request('/a', message, 30_000)).length, 2 ** 20)
    assert.is(sessions.length, 1)
  }),
)

channels('a refusal carries its code and its text, whatever characters that has', () => {
  const text = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('')
  const message = encodeURIComponent(`${text} größer`)
  const refuse: Answer = stream => reply(stream, undefined, { 'grpc-status': '11', 'grpc-message': message })
  return withPeer(refuse, async ({ channel }) => {
    const error = await failureOf(channel.request('/a', Buffer.alloc(0), 30_000))
    assert.equal([error.code, error.details, error.isUnsent], [11, `${text} größer`, false])
  })
})

channels('headers come in the clear, in Huffman code, and in several frames', () => {
  const all = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join('')
  const trailers = { 'grpc-status': '5', 'grpc-message': 'no', 'x-all': all, 'x-long': all.repeat(400) }
  return withPeer(
    stream => reply(stream, undefined, trailers),
    async ({ channel }) => {
      assert.is((await failureOf(channel.request('/a', Buffer.alloc(0), 30_000))).code, status.NOT_FOUND)
    },
  )
})

channels('no more requests are under way than the member allows', async () => {
  let under = 0
  let most = 0
  const slow: Answer = (stream, message) => {
    most = Math.max(most, ++under)
    setTimeout(() => {
      under--
      echo(stream, message, '')
    }, 5)
  }
  const use = async ({ channel }: Peer) => {
    await channel.request('/first', Buffer.alloc(0), 30_000)
    await Promise.all(Array.from({ length: 50 }, () => channel.request('/a', Buffer.alloc(9), 30_000)))
  }
  await withPeer(slow, use, { maxConcurrentStreams: 4 })
  assert.is(most, 4)
})

channels('an answer that does not come in time fails its request, and others go on', () =>
  withPeer(
    (stream, message, path) => path === '/never' || echo(stream, message, path),
    async ({ channel, sessions }) => {
      const never = failureOf(channel.request('/never', Buffer.alloc(3), 300))
      const until = Date.now() + 250
      while (Date.now() < until) await channel.request('/a', Buffer.alloc(3), 30_000)
      assert.is((await never).code, status.DEADLINE_EXCEEDED)
      await channel.request('/a', Buffer.alloc(3), 30_000)
      assert.is(sessions.length, 1)
    },
  ),
)

channels('a connection without any response is closed, and another one opened', () =>
  withPeer(
    (stream, message, path) => path === '/never' || echo(stream, message, path),
    async ({ channel, sessions }) => {
      await channel.request('/a', Buffer.alloc(3), 30_000)
      const error = await failureOf(channel.request('/never', Buffer.alloc(3), 200))
      assert.equal([error.code, error.isUnsent], [status.DEADLINE_EXCEEDED, false])
      await channel.request('/a', Buffer.alloc(3), 30_000)
      assert.is(sessions.length, 2)
    },
  ),
)

channels('requests in flight when a connection breaks may have been executed; the next request opens another one', () =>
  withPeer(
    (stream, message, path) => (path === '/break' ? stream.session?.destroy() : echo(stream, message, path)),
    async ({ channel }) => {
      const error = await failureOf(channel.request('/break', Buffer.alloc(3), 30_000))
      assert.equal([error.code, error.isUnsent], [status.UNAVAILABLE, false])
      assert.is((await channel.request('/a', Buffer.alloc(3), 30_000)).length, 3)
    },
  ),
)

channels('a member that ends the connection answers started requests, and has not received later ones', () =>
  withPeer(
    (stream, message, path) => {
      if (path === '/leave') stream.session?.goaway(0, stream.id)
      setTimeout(() => echo(stream, message, path), 50)
    },
    async ({ channel, sessions }) => {
      assert.is((await channel.request('/leave', Buffer.alloc(3), 30_000)).length, 3)
      assert.is((await channel.request('/a', Buffer.alloc(4), 30_000)).length, 4)
      assert.is(sessions.length, 2)
    },
  ),
)

channels('an unreachable member certainly did not receive the request', async () => {
  let port = 0
  await withPeer(echo, async ({ server }) => {
    port = (server.address() as AddressInfo).port
  })
  const channel = new UnaryChannel({ host: '127.0.0.1', port, tls: undefined })
  const error = await failureOf(channel.request('/a', Buffer.alloc(0), 30_000))
  assert.equal([error.code, error.isUnsent], [status.UNAVAILABLE, true])
  channel.close()
  assert.is((await failureOf(channel.request('/a', Buffer.alloc(0), 30_000))).code, status.CANCELLED)
})

channels.run()
