import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isDuration, parseDuration } from './duration.js'

const duration = suite('duration')

const readable: Record<string, number> = {
  '0': 0,
  '0s': 0,
  '300ms': 300,
  '5m': 300_000,
  '1h30m': 5_400_000,
  '1.5h': 5_400_000,
  '-2s': -2000,
  '2us': 0.002,
}
for (const [text, ms] of Object.entries(readable)) {
  duration(`reads ${text}`, () => {
    assert.ok(isDuration(text))
    assert.is(parseDuration(text), ms)
  })
}
for (const text of ['', '5', 'm', '5 m', '5d', '1h30', '5m!', '--5m', '1h'.repeat(200)]) {
  duration(`refuses "${text}"`, () => {
    assert.not.ok(isDuration(text))
    assert.throws(() => parseDuration(text), TypeError)
  })
}
duration.run()
