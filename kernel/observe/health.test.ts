import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Health } from './health.js'

const everywhere = ['healthz', 'livez', 'readyz'] as const
function healthOf(checks: Record<string, boolean>): Health {
  const health = new Health()
  for (const [name, isGood] of Object.entries(checks)) {
    health.add({
      name,
      endpoints: everywhere,
      check: () => {
        if (!isGood) throw new Error('secret reason')
      },
    })
  }
  return health
}
const ask = (health: Health, query = '', only = '') => health.answer('readyz', only, new URLSearchParams(query))

const health = suite('health')

health('is ok if every check passes', async () => {
  assert.equal(await ask(healthOf({ a: true, b: true })), { status: 200, text: 'ok' })
})
health('a check that hangs has failed, and does not delay the others', async () => {
  const reported: string[] = []
  const hanging = new Health((check, error) => reported.push(`${check}: ${(error as Error).message}`))
  for (const name of ['a', 'b']) hanging.add({ name, endpoints: everywhere, check: () => new Promise(() => {}) })
  hanging.add({ name: 'c', endpoints: everywhere, check: () => {} })
  const { status, text } = (await ask(hanging))!
  assert.is(status, 500)
  assert.match(text, /^\[-\]a failed: reason withheld\n\[-\]b failed: reason withheld\n\[\+\]c ok\n/)
  assert.equal(reported, ['a: timed out after 2000 ms', 'b: timed out after 2000 ms'])
})
health('reports why a check fails, once until it passes again', async () => {
  const reported: string[] = []
  const failing = new Health((check, error) => reported.push(`${check}: ${(error as Error).message}`))
  let isGood = false
  const check = () => {
    if (!isGood) throw new Error('why')
  }
  failing.add({ name: 'a', endpoints: everywhere, check })
  failing.add({ name: 'starting', endpoints: everywhere, isPhase: true, check })
  for (const state of [false, false, true, false]) {
    isGood = state
    await ask(failing)
  }
  assert.equal(reported, ['a: why', 'a: why'])
})
health('shows each check on request', async () => {
  const answer = await ask(healthOf({ a: true, b: true }), 'verbose')
  assert.is(answer?.text, '[+]a ok\n[+]b ok\nreadyz check passed\n')
})
health('fails with the failing check named and its reason withheld', async () => {
  const answer = await ask(healthOf({ a: true, b: false }))
  assert.is(answer?.status, 500)
  assert.match(answer?.text ?? '', '[-]b failed')
  assert.not.match(answer?.text ?? '', 'secret')
})
health('skips excluded checks', async () => {
  const answer = await ask(healthOf({ a: true, b: false }), 'verbose&exclude=b')
  assert.is(answer?.status, 200)
  assert.match(answer?.text ?? '', '[+]b excluded: ok')
  const several = await ask(healthOf({ a: true, b: false }), 'verbose&exclude=a,b')
  assert.is(several?.status, 500, 'each needs its own parameter')
})
health('responds for a single check, and not for an unknown one', async () => {
  assert.is((await ask(healthOf({ a: true }), '', 'a'))?.text, 'ok')
  assert.is(await ask(healthOf({ a: true }), '', 'nothing'), undefined)
})

health.run()
