import * as fc from 'fast-check'
import type { ApiObject } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decoded, later, ownersIn, start, typeOf, Widget } from './apply-fixtures.js'
import { applyObject, unchangedObject } from './at-once-fixtures.js'
import { type FieldSet, fromFieldsV1 } from './structured-merge/field-set.js'
import { extractItems } from './structured-merge/remove-items.js'

const type = typeOf(Widget)
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })
const word = fc.constantFrom('x', 'y', 'z')
const number = fc.integer({ min: 1, max: 9 })

/** Any widget, with all markers. Its values are not dropped when it is stored. */
const body = fc
  .record({
    metadata: fc.record({
      name: fc.constant('a'),
      labels: some(fc.dictionary(word, word, { minKeys: 1 })),
      finalizers: some(fc.uniqueArray(fc.constantFrom('a/x', 'a/y'), { minLength: 1 })),
    }),
    spec: fc.record({
      size: some(number),
      mode: some(word),
      ports: some(
        fc.uniqueArray(fc.record({ port: number, protocol: fc.constantFrom('TCP', 'UDP'), name: some(word) }), {
          minLength: 1,
          maxLength: 4,
          selector: ({ port, protocol }) => `${port}${protocol}`,
        }),
      ),
      parts: some(
        fc.uniqueArray(
          fc.record({
            name: word,
            image: some(word),
            env: some(
              fc.uniqueArray(fc.record({ name: word, value: word }), { minLength: 1, selector: env => env.name }),
            ),
          }),
          { minLength: 1, selector: part => part.name },
        ),
      ),
      tags: some(fc.uniqueArray(word, { minLength: 1 })),
      args: some(fc.array(word, { minLength: 1, maxLength: 3 })),
      limits: some(fc.record({ low: number, high: some(number) })),
      settings: some(fc.dictionary(word, word, { minKeys: 1 })),
      extra: some(
        fc.dictionary(word, fc.oneof(word, fc.array(number), fc.dictionary(word, number, { minKeys: 1 })), {
          minKeys: 1,
        }),
      ),
      sizes: some(fc.dictionary(word, fc.record({ width: number }), { minKeys: 1 })),
    }),
  })
  .map(value => JSON.parse(JSON.stringify(value)) as ApiObject)

const apply = (live: ApiObject | undefined, sent: ApiObject, manager: string, force = false, seconds = 0) =>
  decoded(type, applyObject(type, live, sent, manager, force, later(seconds)))
const fieldsOf = (object: ApiObject, manager: string): FieldSet =>
  fromFieldsV1(ownersIn(object)[`${manager} Apply`] ?? {})

const properties = suite('laws of apply')

properties('apply is idempotent, down to the times', () => {
  fc.assert(
    fc.property(body, body, (first, second) => {
      const live = apply(apply(undefined, first, 'm1'), second, 'm2', true)
      const again = apply(live, second, 'm2', false, 60)
      assert.equal(unchangedObject(live, again), live)
    }),
    { numRuns: 500 },
  )
})

properties('force always succeeds, and then the live object says what was applied', () => {
  fc.assert(
    fc.property(fc.array(body, { minLength: 1, maxLength: 5 }), bodies => {
      let live: ApiObject | undefined
      bodies.forEach((sent, index) => {
        live = apply(live, sent, `m${index}`, true)
        assert.equal(inOrder(extractItems(live, fieldsOf(live, `m${index}`), type.model)), stated(sent))
      })
    }),
    { numRuns: 500 },
  )
})

/** The body without fields that are never owned. */
function stated(sent: ApiObject): unknown {
  const { name: _, ...metadata } = sent.metadata
  return inOrder({ ...(Object.keys(metadata).length > 0 ? { metadata } : {}), spec: sent['spec'] })
}

/** Items of granular lists in a fixed order: theirs depends on the order of their appliers. */
function inOrder(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map(item => inOrder(item))
    return ['tags', 'parts', 'ports', 'env', 'finalizers'].includes(name) ? items.sort(byText) : items
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inOrder(each, key)]))
}
const byText = (left: unknown, right: unknown) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1)

properties('what an applier extracts is what it applied', () => {
  fc.assert(
    fc.property(body, body, (mine, others) => {
      const live = apply(apply(undefined, others, 'other'), mine, 'me', true)
      assert.equal(inOrder(extractItems(live, fieldsOf(live, 'me'), type.model)), stated(mine))
    }),
    { numRuns: 500 },
  )
})

properties('appliers without a field in common commute', () => {
  fc.assert(
    fc.property(body, body, (left, right) => {
      const [one, other] = disjoint(left, right)
      const forth = apply(apply(undefined, one, 'm1'), other, 'm2')
      const back = apply(apply(undefined, other, 'm2'), one, 'm1')
      assert.equal(ownersIn(forth), ownersIn(back))
      assert.equal(inOrder(withoutOwners(forth)), inOrder(withoutOwners(back)))
    }),
    { numRuns: 500 },
  )
})

/** The first keeps metadata and half of the spec, the second the other half. */
function disjoint(left: ApiObject, right: ApiObject): [ApiObject, ApiObject] {
  const pick = (spec: unknown, even: boolean) =>
    Object.fromEntries(Object.entries(spec as object).filter(([key]) => (key.length % 2 === 0) === even))
  return [
    { ...left, spec: { ...pick(left['spec'], true), extra: { left: 1 }, tags: ['l'] } },
    { metadata: { name: 'a' }, spec: { ...pick(right['spec'], false), extra: { right: 1 }, tags: ['r'] } },
  ]
}
const withoutOwners = ({ metadata: { managedFields: _, ...metadata }, ...rest }: ApiObject) => ({ ...rest, metadata })

properties('applying nothing removes all fields that no other manager owns', () => {
  fc.assert(
    fc.property(body, sent => {
      const live = apply(undefined, sent, 'm1')
      const empty = apply(live, { metadata: { name: 'a' } }, 'm1')
      assert.equal(empty, apply(undefined, { metadata: { name: 'a' } }, 'm1'))
    }),
  )
})

properties('neither the live object nor the body is changed', () => {
  fc.assert(
    fc.property(body, body, (first, second) => {
      const live = apply(undefined, first, 'm1')
      const before = JSON.stringify([live, second])
      applyObject(type, live, second, 'm2', true, start)
      assert.is(JSON.stringify([live, second]), before)
    }),
  )
})

properties.run()
