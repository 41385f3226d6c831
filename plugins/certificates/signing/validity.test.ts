import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { validityOf } from './validity.js'

const validity = suite('validity')
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const now = Date.parse('2024-01-01T00:00:00Z')
const life = (parts: { requestedSeconds?: number; maxLifetimeMs?: number; authorityEnds?: number }) => {
  const { notBefore, notAfter } = validityOf({
    now,
    requestedSeconds: parts.requestedSeconds,
    maxLifetimeMs: parts.maxLifetimeMs ?? 8760 * hourMs,
    authorityEnds: parts.authorityEnds ?? now + 1e6 * hourMs,
  })
  return { begins: (notBefore.getTime() - now) / minuteMs, ends: (notAfter.getTime() - now) / minuteMs }
}

const cases = {
  'without a requested lifetime it is the maximum': { given: {}, ends: 8760 * 60 - 5 },
  'a shorter requested lifetime is used': { given: { requestedSeconds: 86_400 }, ends: 24 * 60 - 5 },
  'a longer requested lifetime is reduced to the maximum': {
    given: { requestedSeconds: 7200, maxLifetimeMs: hourMs },
    ends: 60,
  },
  'a short lifetime does not include the minutes of backdating': { given: { requestedSeconds: 600 }, ends: 10 },
  'the minimum is ten minutes': { given: { requestedSeconds: 1 }, ends: 10 },
  'the minimum does not exceed the maximum': { given: { requestedSeconds: 600, maxLifetimeMs: 5 * minuteMs }, ends: 5 },
  'it ends with its authority': { given: { authorityEnds: now + hourMs }, ends: 60 },
}
for (const [title, { given, ends }] of Object.entries(cases))
  validity(title, () => assert.equal(life(given), { begins: -5, ends }))

validity('an authority that has expired signs nothing', () => {
  assert.throws(() => life({ authorityEnds: now }), /expired/)
})
validity.run()
