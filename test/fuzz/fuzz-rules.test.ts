import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fuzzRules } from './fuzz-rules.js'

/** The same programs each time; `npm run fuzz -- --mode rules --requests 50000` tries more. */
const programs = Number(process.env['FUZZ_RULES'] ?? 600)
const seed = 20_261_117

const rules = suite('random rules')

rules('end in time and never throw, for any object', () => {
  const { failures, counts } = fuzzRules(programs, seed)
  assert.equal(failures.slice(0, 5), [])
  const ran = Object.entries(counts).reduce((sum, [what, count]) => sum + (what.includes(':') ? count : 0), 0)
  assert.ok(ran > programs / 3, JSON.stringify(counts))
})

rules.run()
