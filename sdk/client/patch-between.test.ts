import fc from 'fast-check'
import { applyPatch, type Operation } from 'rfc6902'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { patchBetween } from './patch-between.js'

const between = suite('the patch between two objects')

/** Plain JSON objects; names such as __proto__ are tested elsewhere. */
const json = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 5 }),
  object: fc.dictionary(fc.stringMatching(/^[a-c~/]{1,3}$/), tie('value'), { maxKeys: 5, noNullPrototype: true }),
})).object

between('turns one into the other', () => {
  fc.assert(
    fc.property(json, json, (before, after) => {
      const document = structuredClone(before)
      const problems = applyPatch(document, patchBetween(before, after) as Operation[]).filter(Boolean)
      assert.equal(problems, [])
      assert.equal(document, after)
    }),
    { numRuns: 2000 },
  )
})
between('is empty between equals', () => {
  fc.assert(fc.property(json, object => assert.equal(patchBetween(object, structuredClone(object)), [])))
})

between.run()
