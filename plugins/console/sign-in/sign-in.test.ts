import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeClock } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { KnownSessions } from './known-sessions.js'
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
const limits = { tokenMs: hour, sessionMs: 3 * hour }
const sessions = suite<{ folder: string }>('tokens of a session')
sessions.before.each(context => {
  context.folder = mkdtempSync(join(tmpdir(), 'sessions-'))
})
sessions.after.each(({ folder }) => rmSync(folder, { recursive: true }))

const tokensOf = (folder: string, clock = fakeClock(), secret = 'secret') =>
  new SessionTokens(secret, clock, limits, new KnownSessions(folder, clock))

sessions('count until they end, with the key that sealed them', async ({ folder }) => {
  const clock = fakeClock()
  const tokens = tokensOf(folder, clock)
  const { token, expiresAt } = tokens.begin()
  assert.is(expiresAt, clock.now() + hour)
  assert.ok(tokensOf(folder, clock).verify(token))
  assert.is(tokensOf(folder, clock, 'another').verify(token), undefined)
  await clock.advance(hour)
  assert.is(tokens.verify(token), undefined)
})

sessions('that were changed count for nothing', ({ folder }) => {
  const tokens = tokensOf(folder)
  const { token: given } = tokens.begin()
  const [name, , signature] = given.split('.')
  const [session] = tokens.known.all()
  const forged = Buffer.from(JSON.stringify({ id: session?.id, until: 9e15, sessionUntil: 9e15 })).toString('base64url')
  for (const token of [`${name}.${forged}.${signature}`, `${name}.${forged}.`, `${name}.`, 'console-session.'])
    assert.is(tokens.verify(token), undefined)
})

sessions('are renewed until the session ends, and never beyond it', async ({ folder }) => {
  const clock = fakeClock()
  const tokens = tokensOf(folder, clock)
  const endsAt = clock.now() + limits.sessionMs
  let last = tokens.begin()
  for (let renewal = 0; renewal < 5; renewal++) {
    await clock.advance(hour / 2)
    last = tokens.renew(last.token) ?? assert.unreachable(`renewal ${renewal}`)!
    assert.ok(last.expiresAt <= endsAt)
  }
  assert.is(last.expiresAt, endsAt)
  await clock.advance(hour / 2)
  assert.is(tokens.renew(last.token), undefined)
  assert.is(tokens.verify(last.token), undefined)
  assert.is(tokens.renew('of another kind'), undefined)
})

sessions('count no more once the session was ended, whichever of them did so, in whichever process', ({ folder }) => {
  const clock = fakeClock()
  const tokens = tokensOf(folder, clock)
  const { token } = tokens.begin()
  const renewed = tokens.renew(token)?.token ?? ''
  const other = tokens.begin().token
  tokensOf(folder, clock).end(renewed)
  for (const ended of [token, renewed]) {
    assert.is(tokens.verify(ended), undefined)
    assert.is(tokens.renew(ended), undefined)
  }
  assert.ok(tokens.verify(other))
})

sessions(
  'are listed without a credential, ended by their name, and cleared away when they have ended',
  async ({ folder }) => {
    const clock = fakeClock()
    const tokens = tokensOf(folder, clock)
    const { token } = tokens.begin()
    const [session, ...others] = tokens.known.all()
    assert.equal(others, [])
    assert.equal(session, { id: session?.id, since: clock.now(), until: clock.now() + limits.sessionMs })
    assert.not.ok(JSON.stringify(session).includes(token))
    assert.is(tokens.known.end('another'), false)
    assert.is(tokens.known.end('../sessions'), false)
    assert.is(tokens.known.end(session?.id ?? ''), true)
    assert.is(tokens.verify(token), undefined)
    tokens.begin()
    await clock.advance(limits.sessionMs)
    assert.equal(tokens.known.all(), [])
    assert.equal(readdirSync(folder), [])
  },
)
sessions.run()
