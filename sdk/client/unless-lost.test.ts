import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { alreadyExists, conflict, forbidden, notFound } from '../resource/api-errors.js'
import { type LostRace, unlessLost } from './unless-lost.js'

const races = suite('writes that lose a race')
const subject = { group: '', resource: 'widgets', name: 'a' }
const errors = {
  AlreadyExists: alreadyExists(subject),
  Conflict: conflict(subject, 'changed'),
  NotFound: notFound(subject),
}

for (const [way, error] of Object.entries(errors)) {
  races(`${way} is not a failure where it is expected`, async () => {
    assert.is(await unlessLost(Promise.reject(error), way as LostRace), undefined)
  })
}
races('by default a conflict is a failure, since work may be left', async () => {
  assert.is(await unlessLost(Promise.reject(errors.NotFound)), undefined)
  assert.is(await unlessLost(Promise.reject(errors.AlreadyExists)), undefined)
  assert.is(await unlessLost(Promise.reject(errors.Conflict)).catch(error => error), errors.Conflict)
})
races('other failures are thrown', async () => {
  assert.is(await unlessLost(Promise.reject(errors.NotFound), 'Conflict').catch(error => error), errors.NotFound)
  const refused = forbidden(subject, 'no')
  assert.is(await unlessLost(Promise.reject(refused)).catch(error => error), refused)
})
races('returns the result of a successful write', async () => {
  assert.is(await unlessLost(Promise.resolve('made'), 'AlreadyExists'), 'made')
})
races.run()
