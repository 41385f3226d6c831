import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadUndici } from 'orch/sdk/client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Deadline, postReview } from './post-review.js'

const posting = suite('posting a review')
const post = { path: '/', headers: {}, body: '{}' }

/** Posts to a server that answers like this. */
async function answered(
  answer: RequestListener,
  test: (send: () => Promise<string>) => Promise<void>,
  timeoutMs = 30_000,
) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const pool = new (loadUndici().Pool)(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { bodyTimeout: 0 })
  const deadline = new Deadline(timeoutMs)
  try {
    await test(() => postReview(pool, post, deadline))
  } finally {
    deadline.clear()
    await pool.destroy()
    server.closeAllConnections()
    server.close()
  }
}
const failureOf = (sent: Promise<string>) =>
  sent.then(
    () => 'no failure',
    error => (error as Error).message,
  )

posting('returns the response', () =>
  answered(
    (_, response) => response.end('yes'),
    async send => assert.is(await send(), 'yes'),
  ),
)

posting('releases the connection of an error response whose body never ends', async () => {
  let close = () => {}
  const closed = new Promise<void>(resolve => {
    close = resolve
  })
  await answered(
    (_, response) => {
      response.on('close', close)
      response.writeHead(500).write('because ')
    },
    async send => {
      assert.is(await failureOf(send()), 'the webhook answered with status 500')
      await closed
    },
  )
})

posting('gives up by the deadline, and stops reading an answer that is too large', async () => {
  await answered(
    (_, response) => response.writeHead(200).write('{'),
    async send => assert.is(await failureOf(send()), 'no answer in time'),
    50,
  )
  await answered(
    (_, response) => response.end('x'.repeat(4 * 1024 * 1024)),
    async send => assert.match(await failureOf(send()), /^the response is larger than \d+ bytes$/),
  )
})

posting.run()
