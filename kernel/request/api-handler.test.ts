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
  const handler = new ApiHandler(
    parts({
      audit: { requestReceived() {}, answered: (_: unknown, code: number) => recorded.push(code) },
      servePath: () => late.then(() => exchange.send(200)),
      metrics: { observe: (_: unknown, code: number) => counted.push(code) },
      logger,
      requestTimeoutMs: 0,
    }),
  )
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

/** Parts of a handler whose requests pass every stage, with changes. */
const parts = (changed: object): ApiHandlerParts =>
  ({
    authenticators: { authenticate: () => ({ name: 'ann', groups: [] }) },
    authorizer: { authorize: () => ({ decision: 'allow' }) },
    audit: { requestReceived() {}, answered() {} },
    limiter: { enter() {} },
    isPublic: () => false,
    servePath: () => true,
    metrics: { observe() {} },
    representations: { negotiator: { tryNegotiate: () => undefined } },
    live: { resources: {} },
    vendor: {},
    logger: fakeLogger(),
    requestTimeoutMs: 60_000,
    loopWatch: { setCurrentRequest() {}, close() {} },
    catchUp() {},
    ...changed,
  }) as unknown as ApiHandlerParts

handling('passes the stages in their order, whether they wait or not, and in one tick if none does', async () => {
  for (const waits of [false, true]) {
    const passed: string[] = []
    const pass =
      <T>(name: string, answer?: T) =>
      () => {
        passed.push(name)
        return waits ? Promise.resolve(answer) : answer
      }
    const handler = new ApiHandler(
      parts({
        authenticators: { authenticate: pass('authentication', { name: 'ann', groups: [] }) },
        audit: { requestReceived: pass('audit'), answered: () => passed.push('finished') },
        limiter: { enter: pass('seat') },
        authorizer: { authorize: pass('authorization', { decision: 'allow' }) },
        servePath: pass('answer', true),
      }),
    )
    handler.handle(new FakeExchange() as unknown as Exchange)
    if (waits) await eventually('the end', () => passed.includes('finished'))
    handler.close()
    assert.equal(passed, ['authentication', 'audit', 'seat', 'authorization', 'answer', 'finished'])
  }
})

handling('neither authenticates nor authorizes a request to a public path', () => {
  const refuse = () => assert.unreachable('nobody is asked')
  const exchange = new FakeExchange()
  const servePath = () => {
    exchange.send(200)
    return true
  }
  const handler = new ApiHandler(
    parts({
      authenticators: { authenticate: refuse },
      authorizer: { authorize: refuse },
      isPublic: () => true,
      servePath,
    }),
  )
  handler.handle(exchange as unknown as Exchange)
  handler.close()
  assert.is(exchange.status, 200)
})

handling('gives back a seat that it got after it had timed out, and goes no further', async () => {
  let isFreed = false
  let getSeat = () => {}
  const seat = new Promise<void>(resolve => {
    getSeat = resolve
  })
  const enter = (request: { freeSeat: () => void }) =>
    seat.then(() => {
      request.freeSeat = () => {
        isFreed = true
      }
    })
  const authorize = () => assert.unreachable('it was answered already')
  const exchange = new FakeExchange()
  const handler = new ApiHandler(parts({ limiter: { enter }, authorizer: { authorize }, requestTimeoutMs: 0 }))
  handler.handle(exchange as unknown as Exchange)
  await eventually('the answer', () => exchange.isAnswered)
  getSeat()
  await eventually('the seat', () => isFreed)
  handler.close()
  assert.is(exchange.status, 504)
})

handling.run()
