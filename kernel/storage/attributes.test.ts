import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type AttributeRequirement,
  attributeEquals,
  attributeOf,
  compileAttributeMatcher,
  encodeAttributes,
  readAttributes,
  storedVersionOf,
  versionMark,
} from './attributes.js'

const attributes = suite('attributes')

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('\x00', '\x01', '\x02', 'l', 'f', 'a', '0', 'é') }),
)
// `__proto__` as a name cannot be set on a plain object; no label or field can be called so.
const anyName = anyText.filter(name => name !== '__proto__')
const someAttributes = fc.record(
  {
    version: anyText,
    labels: fc.dictionary(anyName, anyText, { maxKeys: 4, noNullPrototype: true }),
    fields: fc.dictionary(anyName, anyText, { maxKeys: 4, noNullPrototype: true }),
  },
  { noNullPrototype: true },
)

attributes('survive encoding, whatever their names and values contain', () => {
  fc.assert(
    fc.property(someAttributes, given => assert.equal(readAttributes(encodeAttributes(given)), given)),
    { numRuns: 500 },
  )
})

attributes('are found by name and value, and no others', () => {
  fc.assert(
    fc.property(someAttributes, anyName, anyText, (given, name, value) => {
      const buffer = encodeAttributes(given)
      for (const [kind, set] of [['l', given.labels] as const, ['f', given.fields] as const]) {
        for (const known of [...Object.keys(set), name]) {
          const expected = Object.hasOwn(set, known) ? set[known] : undefined
          assert.is(attributeOf(buffer, kind, known), expected)
          assert.is(attributeEquals(buffer, kind, known, value), expected === value)
          if (expected !== undefined) assert.ok(attributeEquals(buffer, kind, known, expected))
        }
      }
    }),
    { numRuns: 500 },
  )
})

attributes('begin with the version, which is found if and only if it is present', () => {
  fc.assert(
    fc.property(someAttributes, anyText, (given, other) => {
      const { version, ...unmarked } = given
      assert.is(storedVersionOf(encodeAttributes(given)), version)
      assert.is(storedVersionOf(encodeAttributes(unmarked)), undefined)
      const mark = versionMark(other)
      assert.is(encodeAttributes(given).subarray(0, mark.length).equals(mark), version === other)
    }),
  )
})

attributes('of an object without labels and fields take no bytes', () => {
  assert.is(encodeAttributes({ labels: {}, fields: {} }).length, 0)
  assert.is(attributeOf(Buffer.alloc(0), 'l', 'app'), undefined)
})

const web = encodeAttributes({ labels: { app: 'web', tier: '' }, fields: { 'metadata.name': 'web-0' } })
const label = (operator: AttributeRequirement['operator'], name: string, ...values: string[]) =>
  ({ kind: 'l', name, operator, values }) as const
const cases: Record<string, [AttributeRequirement[], boolean]> = {
  'no requirement matches everything': [[], true],
  'a set requirement holds for one of its values': [[label('in', 'app', 'db', 'web')], true],
  'a set requirement fails for other values': [[label('in', 'app', 'db', 'we')], false],
  'an absent name is in no set': [[label('in', 'zone', '')], false],
  'an absent name satisfies notIn': [[label('notIn', 'zone', 'a')], true],
  'notIn fails for a listed value': [[label('notIn', 'app', 'web')], false],
  'an empty value exists': [[label('exists', 'tier')], true],
  'a name that is the start of another does not exist': [[label('exists', 'ap')], false],
  'notExists holds for an absent name': [[label('notExists', 'zone')], true],
  'a field is not a label': [[label('in', 'metadata.name', 'web-0')], false],
  'all requirements must hold': [[label('in', 'app', 'web'), label('exists', 'zone')], false],
  'a predicate sees the value': [[{ ...label('passes', 'app'), passes: value => value === 'web' }], true],
}
for (const [title, [requirements, expected]] of Object.entries(cases)) {
  attributes(title, () => assert.is(compileAttributeMatcher(requirements)(web), expected))
  attributes(`${title}, among very many requirements`, () => {
    const others = Array.from({ length: 20 }, (_, at): AttributeRequirement => {
      return { kind: 'l', name: `none${at}`, operator: 'notExists' }
    })
    assert.is(compileAttributeMatcher([...others, ...requirements])(web), expected)
  })
}

attributes('are selected in time linear in the selector and the labels, not in their product', () => {
  const count = 20_000
  const numbered = <T>(make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at))
  const many = encodeAttributes({ labels: Object.fromEntries(numbered(at => [`k${at}`, 'v'])) })
  const values = numbered(at => `value${at}`)
  const selectors: AttributeRequirement[][] = [
    [{ kind: 'l', name: `k${count - 1}`, operator: 'in', values }],
    [{ kind: 'l', name: `k${count - 1}`, operator: 'notIn', values }],
    numbered(at => ({ kind: 'l', name: `other${at}`, operator: 'notExists' })),
  ]
  const before = process.cpuUsage()
  assert.equal(
    selectors.map(selector => compileAttributeMatcher(selector)(many)),
    [false, true, true],
  )
  const { user } = process.cpuUsage(before)
  assert.ok(user < 1_000_000, `${user} µs`)
})

attributes.run()
