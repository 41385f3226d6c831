import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { request } from 'undici'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Http1Exchange } from './http1-exchange.js'

const bodies = suite('a body in chunks')

/** Pieces around every size that counts: shorter than what joins the next one, as long as a frame, longer than one. */
const sizes = [1, 3, 4095, 4096, 4097, 131_071, 131_072, 131_073, 300_000, 2, 1, 600_000, 5]
const piecesOf = (seed: number) => sizes.map((size, index) => Buffer.alloc(size, `${seed}.${index} `))

bodies('arrives as it was written, at the pace of whoever reads, while others use the same memory', async () => {
  let written = 0
  const server = createServer(async (incoming, outgoing) => {
    const stream = new Http1Exchange(incoming, outgoing).stream(200, {})
    for (const piece of piecesOf(Number(incoming.url?.slice(1)))) {
      // What was written may be used again at once: a body that still looked at it would show it.
      const isReady = stream.write(piece, () => {
        written++
        piece.fill('?')
      })
      if (!isReady) await stream.drained()
    }
    stream.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, seed) => {
        const { body, headers } = await request(`http://127.0.0.1:${port}/${seed}`)
        assert.is(headers['transfer-encoding'], 'chunked')
        return Buffer.from(await body.arrayBuffer())
      }),
    )
    for (const [seed, answer] of answers.entries())
      assert.ok(answer.equals(Buffer.concat(piecesOf(seed))), `of ${seed}`)
    assert.is(written, 12 * sizes.length)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

bodies('takes what is written after the connection is gone, and forgets it', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect(port, '127.0.0.1')
  client.on('error', () => {})
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  try {
    const [incoming, outgoing] = await once(server, 'request')
    const stream = new Http1Exchange(incoming, outgoing).stream(200, {})
    outgoing.socket.destroySoon()
    for (const piece of piecesOf(1)) stream.write(piece)
    client.resetAndDestroy()
    await once(outgoing, 'close')
    for (const piece of piecesOf(2)) stream.write(piece)
    stream.end()
    assert.ok(stream.isClosed)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

bodies.run()
