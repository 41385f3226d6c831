import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeClock } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { OneTimeCodes } from './one-time-codes.js'
import { SessionTokens } from './session-tokens.js'

const codes = suite<{ folder: string }>('one-time codes')
codes.before.each(context => {
  context.folder = mkdtempSync(join(tmpdir(), 'codes-'))
})
codes.after.each(({ folder }) => rmSync(folder, { recursive: true }))

codes('are good once, in whichever process', ({ folder }) => {
  const clock = fakeClock()
  const code = new OneTimeCodes(folder, clock).issue()
  const elsewhere = new OneTimeCodes(folder, clock)
  assert.is(elsewhere.use('another'), false)
  assert.is(elsewhere.use(code), true)
  assert.is(new OneTimeCodes(folder, clock).use(code), false)
})

codes('end after ten minutes, and the next one clears them away', async ({ folder }) => {
  const clock = fakeClock()
  const all = new OneTimeCodes(folder, clock)
  const code = all.issue()
  await clock.advance(10 * 60_000)
  all.issue()
  assert.is(readdirSync(folder).length, 1)
  assert.is(all.use(code), false)
})

codes('cannot be read out of the folder', ({ folder }) => {
  const code = new OneTimeCodes(folder, fakeClock()).issue()
  assert.not(readdirSync(folder).some(name => name.includes(code)))
})
codes.run()

const hour = 3_600_000
const sessions = suite('tokens of a session')

sessions('count until they end, with the key that sealed them', async () => {
  const clock = fakeClock()
  const tokens = new SessionTokens('secret', clock, hour)
  const { token, expiresAt } = tokens.issue()
  assert.is(expiresAt, clock.now() + hour)
  assert.ok(new SessionTokens('secret', clock, hour).verify(token))
  assert.is(new SessionTokens('another', clock, hour).verify(token), undefined)
  await clock.advance(hour)
  assert.is(tokens.verify(token), undefined)
})

sessions('that were changed count for nothing', () => {
  const tokens = new SessionTokens('secret', fakeClock(), hour)
  const [name, , signature] = tokens.issue().token.split('.')
  const forged = Buffer.from(JSON.stringify({ id: 'x', since: 0, until: 9e15 })).toString('base64url')
  for (const token of [`${name}.${forged}.${signature}`, `${name}.${forged}.`, `${name}.`, 'console-session.'])
    assert.is(tokens.verify(token), undefined)
})

sessions('are renewed for twelve lifetimes after the sign-in', async () => {
  const clock = fakeClock()
  const tokens = new SessionTokens('secret', clock, hour)
  let { token } = tokens.issue()
  for (let renewal = 0; renewal < 24; renewal++) {
    await clock.advance(hour / 2)
    token = tokens.renew(token)?.token ?? ''
    assert.not.equal(token, '', `renewal ${renewal}`)
  }
  await clock.advance(hour / 2)
  assert.is(tokens.renew(token), undefined)
  assert.is(tokens.renew('of another kind'), undefined)
})
sessions.run()
