import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nestsDeeper, writeInTurns, writeJson, writePretty } from './index.js'

const writing = suite('JSON of any depth')

/** A value below more levels than the stack of JSON.stringify allows. */
const levels = 9000
const below = (value: unknown) => {
  let deep = value
  for (let level = 0; level < levels; level++) deep = [deep]
  return deep
}
const textBelow = (text: string) => '['.repeat(levels) + text + ']'.repeat(levels)

writing('is what JSON.stringify writes', () => {
  const values = fc.jsonValue().map(value => JSON.parse(JSON.stringify(value)) as unknown)
  fc.assert(
    fc.property(values, value => {
      assert.is(writeJson(value), JSON.stringify(value))
      assert.is(writeJson(below(value)), textBelow(JSON.stringify(value)))
    }),
    { numRuns: 20 },
  )
})

writing('is the same in turns', () => {
  const inTurns = (value: unknown) => {
    const work = writeInTurns(value)
    for (;;) {
      const { done, value: text } = work.next()
      if (done) return text
    }
  }
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 8 }), value => assert.is(inTurns(value), JSON.stringify(value))))
  const odd = {
    a: undefined,
    b: [undefined, () => 1],
    c: new Date(0),
    f: () => 1,
    list: Array(12_000).fill({}),
    __proto__: 1,
  }
  assert.is(inTurns(odd), JSON.stringify(odd))
  const wide = Object.fromEntries(Array.from({ length: 12_000 }, (_, at) => [`k"${at}`, at % 2 ? undefined : at]))
  assert.is(inTurns({ wide, empty: [{}, []] }), JSON.stringify({ wide, empty: [{}, []] }))
  assert.is(inTurns(undefined), undefined)
  assert.is(inTurns(below(1)), textBelow('1'))
})

writing('omits undefined values, and calls toJSON', () => {
  const odd = { a: undefined, b: [undefined, () => 1], c: new Date(0), d: Number.NaN }
  assert.is(writeJson(below(odd)), textBelow(JSON.stringify(odd)))
})

writing('is indented unless it is very deep', () => {
  assert.is(writePretty({ a: [1] }), JSON.stringify({ a: [1] }, null, 2))
  assert.is(writePretty(below(1)), textBelow('1'))
})

writing('measures depth without recursion', () => {
  assert.ok(nestsDeeper(below([]), levels - 1))
  assert.not(nestsDeeper(below([]), levels + 1))
  assert.not(nestsDeeper({ a: [{ b: 1 }] }, 3))
})

writing.run()
