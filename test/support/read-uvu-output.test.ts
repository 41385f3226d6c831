import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readUvuOutput } from './read-uvu-output.js'

const reading = suite('reading what uvu prints')

reading('finds the counts of the closing block', () => {
  const counts = readUvuOutput(
    ' names  • ✘   (1 / 2)\n\n  Total:     2\n  Passed:    1\n  Skipped:   3\n  Duration:  9ms\n',
  )
  assert.equal(counts, { total: 2, passed: 1, skipped: 3, skipReasons: [], leftOpen: [] })
})

reading('counts nothing where the block is missing, as after a crash', () => {
  assert.equal(readUvuOutput(' names  • • '), { total: 0, passed: 0, skipped: 0, skipReasons: [], leftOpen: [] })
})

reading('finds the reasons of what cannot run here', () => {
  assert.equal(readUvuOutput('SKIP kubectl is not installed\n').skipReasons, ['kubectl is not installed'])
})

reading.run()
