import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isTrue, stored } from '../testing/acme.js'
import { anAuthority } from '../testing/made-authorities.js'
import { removalTime } from './removal-time.js'

const removal = suite('when a request is removed')
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const created = Date.parse('2024-01-01T00:00:00Z')
const at = (ms: number) => new Date(created + ms).toISOString()
const hoursAfterCreation = (request: Parameters<typeof removalTime>[0]) => (removalTime(request) - created) / hourMs

removal('pending: a day after its creation', () => {
  assert.is(hoursAfterCreation(stored()), 24)
})
removal('pending with an unrelated condition: also a day after its creation', () => {
  assert.is(hoursAfterCreation(stored({ conditions: [isTrue('Custom', { lastUpdateTime: at(9 * hourMs) })] })), 24)
})
for (const type of ['Approved', 'Denied', 'Failed'])
  removal(`${type}: an hour after that`, () => {
    const conditions = [isTrue(type, { lastUpdateTime: at(2 * hourMs) })]
    assert.is(hoursAfterCreation(stored({ conditions })), 3)
  })
removal('approved, then failed: an hour after the later', () => {
  const conditions = [
    isTrue('Approved', { lastUpdateTime: at(2 * hourMs) }),
    isTrue('Failed', { lastUpdateTime: at(5 * hourMs) }),
  ]
  assert.is(hoursAfterCreation(stored({ conditions })), 6)
})
removal('issued: an hour after the approval, but never later than the certificate expires', async () => {
  const issued = async (lifeMs: number) => {
    const { certificatePem } = await anAuthority({ now: created, lifeMs })
    const conditions = [isTrue('Approved', { lastUpdateTime: at(2 * hourMs) })]
    return stored({ conditions, certificate: Buffer.from(certificatePem).toString('base64') })
  }
  assert.is(hoursAfterCreation(await issued(100 * hourMs)), 3)
  assert.is(hoursAfterCreation(await issued(150 * minuteMs)), 2.5)
})
removal('with a decision time before its creation: an hour after its creation', () => {
  assert.is(
    hoursAfterCreation(stored({ conditions: [isTrue('Approved', { lastUpdateTime: '2020-01-01T00:00:00Z' })] })),
    1,
  )
})
removal('issued with a certificate that expired before its creation: five minutes after its creation', async () => {
  const { certificatePem } = await anAuthority({ now: created - 3 * hourMs, lifeMs: hourMs })
  const conditions = [isTrue('Approved', { lastUpdateTime: at(0) })]
  const certificate = Buffer.from(certificatePem).toString('base64')
  assert.is(removalTime(stored({ conditions, certificate })) - created, 5 * minuteMs)
})
removal.run()
