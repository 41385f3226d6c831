import type { Logger } from 'orch/sdk'
import { fakeClock } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Issuer, IssuerDocument } from './issuer.js'
import { IssuerKeys } from './issuer-keys.js'

const issuerKeys = suite('the keys of an issuer')

/** An issuer that answers, fails, or does neither. */
function testIssuer() {
  const issuer = {
    url: 'https://issuer.test',
    does: 'answer' as 'answer' | 'hang' | 'fail',
    asked: 0,
    async discover(): Promise<IssuerDocument> {
      issuer.asked++
      if (issuer.does === 'hang') await new Promise(() => {})
      if (issuer.does === 'fail') throw new Error('not now')
      return { issuer: issuer.url, jwks_uri: `${issuer.url}/keys` }
    },
    getJson: async () => ({ keys: [] }),
  }
  return issuer
}
const silent = { warn() {} } as unknown as Logger
function started() {
  const clock = fakeClock(0)
  const issuer = testIssuer()
  return { clock, issuer, keys: new IssuerKeys(issuer as unknown as Issuer, clock, silent) }
}

issuerKeys('are fetched again when they are stale', async () => {
  const { clock, issuer, keys } = started()
  const before = await keys.current()
  assert.is(await keys.current(), before)
  assert.is(issuer.asked, 1)
  await clock.advance(11 * 60_000)
  assert.is.not(await keys.current(), before)
})

issuerKeys('remain valid while the issuer hangs or fails, without delaying requests for long', async () => {
  const { clock, issuer, keys } = started()
  const before = await keys.current()
  issuer.does = 'fail'
  await clock.advance(11 * 60_000)
  assert.is(await keys.current(), before)
  issuer.does = 'hang'
  await clock.advance(11_000)
  assert.is(await keys.current(), before, 'immediately, because the last attempt failed')
  assert.is(issuer.asked, 3)
})

issuerKeys('of an issuer that starts to hang are waited for briefly', async () => {
  const { clock, issuer, keys } = started()
  const before = await keys.current()
  issuer.does = 'hang'
  await clock.advance(11 * 60_000)
  const later = keys.current()
  await clock.advance(1000)
  assert.is(await later, before)
})

issuerKeys('that are unknown are fetched once a second at most', async () => {
  const { clock, issuer, keys } = started()
  issuer.does = 'fail'
  for (const _ of [1, 2, 3]) assert.match(String(await keys.current().catch(error => error)), /not been fetched yet/)
  assert.is(issuer.asked, 1)
  issuer.does = 'answer'
  await clock.advance(1000)
  await keys.current()
  assert.is(issuer.asked, 2)
})

issuerKeys.run()
