import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { findOverlaps, type Overlap } from './sysctl-overlaps.js'

const overlaps = suite('the overlaps of allowed and forbidden sysctls')

overlaps('are the same as with pairwise comparison', () => {
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 4 })
  const patterns = fc.array(pattern, { maxLength: 12 })
  fc.assert(
    fc.property(patterns, patterns, (allowed, forbidden) => {
      assert.equal(findOverlaps(allowed, forbidden), comparedOneByOne(allowed, forbidden))
    }),
  )
})

overlaps('are limited in number', () => {
  const everything = Array.from({ length: 100_000 }, () => '*')
  assert.is(findOverlaps(everything, everything).length, 1000)
})

overlaps.run()

function comparedOneByOne(allowed: readonly string[], forbidden: readonly string[]): Overlap[] {
  const covers = (wide: string, narrow: string) =>
    wide.endsWith('*') ? narrow.startsWith(wide.slice(0, -1)) : wide === narrow
  return allowed.flatMap((a, i) =>
    forbidden.flatMap((f, j) =>
      covers(f, a) || covers(a, f) ? [{ allowed: i, forbidden: j, isForbiddenWider: covers(f, a) }] : [],
    ),
  )
}
