import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isoTime } from './iso-time.js'

test('times have the format of Date, whatever was formatted before', () => {
  const start = Date.parse('2026-12-31T23:59:58.900Z')
  for (const step of [0, 1.7, 99.99, 100, 1105, 1104, 86_400_000, -5, 999.999, -start, -start + 7.5])
    assert.is(`${isoTime(start + step)}Z`, new Date(start + step).toISOString())
})

test.run()
