import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Measured, measureStalls } from './measure-stalls.js'

const stall = suite('pathological bodies')

/** A sample; all 35,000 take half an hour: `npm run stall`. */
const every = 197
const from = 61
/** Of CPU time, so that other work on the machine does not count. */
const limitMs = 1000

stall('no field of any type keeps the server busy for a second, whatever its contents', async () => {
  const all: Measured[] = []
  await measureStalls(every, from, one => all.push(one))
  assert.ok(all.length > 30, `only ${all.length} requests`)
  assert.ok(new Set(all.map(({ type }) => type)).size > 10)
  const bad = all.filter(({ ms, status }) => ms > limitMs || status >= 500)
  assert.equal(bad, [])
})

stall.run()
