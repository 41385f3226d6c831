import { fakeLogger } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../../test/support/eventually.js'
import type { Exchange } from '../contracts/exchange.js'
import { ApiHandler, type ApiHandlerParts } from './api-handler.js'

/** An exchange that, like a socket, takes one answer and no more. */
class FakeExchange {
  readonly method = 'GET'
  readonly url = '/slow'
  readonly headers = {}
  status = 0
  get isAnswered(): boolean {
    return this.status !== 0
  }
  send(status: number): void {
    if (this.isAnswered) throw new Error('Cannot set headers after they are sent')
    this.status = status
  }
}

const handling = suite('the way of a request')

handling('one that takes too long is answered, counted and recorded once, whatever comes of it later', async () => {
  const counted: number[] = []
  const recorded: number[] = []
  const logger = fakeLogger()
  let finish = () => {}
  const late = new Promise<void>(resolve => {
    finish = resolve
  })
  const exchange = new FakeExchange()
  const handler = new ApiHandler({
    authenticators: { authenticate: () => ({ name: 'ann', groups: [] }) },
    authorizer: { authorize: () => ({ decision: 'allow' }) },
    audit: { requestReceived() {}, answered: (_: unknown, code: number) => recorded.push(code) },
    limiter: { enter() {} },
    isPublic: () => false,
    servePath: () => late.then(() => exchange.send(200)),
    metrics: { observe: (_: unknown, code: number) => counted.push(code) },
    representations: { negotiator: { tryNegotiate: () => undefined } },
    resources: {},
    vendor: {},
    logger,
    requestTimeoutMs: 0,
    loopWatch: { worksFor() {}, close() {} },
    catchUp() {},
  } as unknown as ApiHandlerParts)
  try {
    handler.handle(exchange as unknown as Exchange)
    await eventually('the answer', () => exchange.isAnswered)
    finish()
    for (let turns = 0; turns < 5; turns++) await new Promise(resolve => setImmediate(resolve))
  } finally {
    handler.close()
  }
  assert.is(exchange.status, 504)
  assert.equal([counted, recorded], [[504], [504]])
  assert.equal(
    logger.lines.map(({ level }) => level),
    ['warn'],
  )
})

handling.run()
