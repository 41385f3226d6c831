import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Type } from '../resource/schema.js'
import { readConfiguration } from './read-configuration.js'

const schema = Type.Object(
  { limit: Type.Integer({ default: 3 }), names: Type.Array(Type.String(), { default: [] }) },
  { additionalProperties: false },
)
const kinds = ['limits.acme.test/v1 Limits']
const read = (given: unknown, names: readonly string[] = kinds) =>
  readConfiguration({ of: () => given, pathFor: (_, file) => file }, 'Limiter', schema, names)
const named = { apiVersion: 'limits.acme.test/v1', kind: 'Limits' }

const configuration = suite('the configuration of a control')

configuration('is undefined if there is none', () => {
  assert.is(read(undefined), undefined)
})
configuration('comes with its defaults and without its name', () => {
  assert.equal(read({ ...named, names: ['a'] }), { limit: 3, names: ['a'] })
})
configuration('needs no name when it has none', () => {
  assert.equal(read({ limit: 1 }, []), { limit: 1, names: [] })
})
for (const [what, given, pattern] of [
  ['another name', { ...named, kind: 'Other' }, /must be of limits.acme.test\/v1 Limits, not/],
  ['no object', ['x'], /must be an object/],
  ['a value of the wrong type', { ...named, limit: 'many' }, /at \/limit: /],
  ['an unknown field', { ...named, limits: 1 }, /at \/limits: /],
] as const)
  configuration(`is rejected with ${what}, naming the place`, () => {
    assert.throws(() => read(given), pattern)
  })

configuration.run()
