import { field, Int32, Kind, kept, ListOf, MapOf, required, StringMap, Struct, Text, Type } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileValidator } from './compile-validator.js'
import { buildTypeModel, type StructNode } from './type-model.js'

const Port = Struct('toys.v1.Port', {
  number: required(1, Int32({ minimum: 1, maximum: 65535 })),
  protocol: field(2, Text({ enum: ['TCP', 'UDP'] })),
})
const Gadget = Kind('toys.v1.Gadget', {
  spec: required(
    2,
    Struct('toys.v1.GadgetSpec', {
      name: required(1, Text({ minLength: 1, maxLength: 5, pattern: '^[a-z]+$' })),
      ports: required(2, ListOf(Port, { minItems: 1, maxItems: 2 })),
      byZone: field(3, MapOf(Port)),
      mode: kept(4, Type.Union([Type.Literal('fast'), Type.Literal('slow')])),
      home: field(5, Type.String({ format: 'uri' })),
    }),
  ),
})
const validate = compileValidator(buildTypeModel(Gadget) as StructNode)!
const valid = { name: 'abc', ports: [{ number: 80, protocol: 'TCP' }] }
const found = (spec: object) =>
  validate({ spec: { ...valid, ...spec } }).map(({ type, field: path, detail }) => `${type} ${path} ${detail}`.trim())

const validation = suite('value constraints')

const cases: Record<string, { spec: object; errors: string[] }> = {
  'let a valid object through': { spec: {}, errors: [] },
  'name list items and map keys': {
    spec: { ports: [{ number: 0 }], byZone: { 'a.b/c': { number: 70000 } } },
    errors: [
      'FieldValueInvalid spec.ports[0].number must be greater than or equal to 1',
      'FieldValueInvalid spec.byZone[a.b/c].number must be less than or equal to 65535',
    ],
  },
  'call a value outside an enum not supported': {
    spec: { ports: [{ number: 1, protocol: 'ICMP' }], mode: 'idle' },
    errors: [
      'FieldValueNotSupported spec.ports[0].protocol supported values: "TCP", "UDP"',
      'FieldValueNotSupported spec.mode supported values: "fast", "slow"',
    ],
  },
  'call an empty value that may not be empty required': {
    spec: { name: '', ports: null },
    errors: ['FieldValueRequired spec.name', 'FieldValueRequired spec.ports'],
  },
  'call a long text too long and a long list too many': {
    spec: { name: 'abcdef', ports: [{ number: 1 }, { number: 2 }, { number: 3 }] },
    errors: [
      'FieldValueTooLong spec.name must have at most 5 bytes',
      'FieldValueTooMany spec.ports must have at most 2 items',
    ],
  },
  'check text formats': { spec: { home: 'no uri' }, errors: ['FieldValueInvalid spec.home must match format "uri"'] },
}
for (const [title, { spec, errors }] of Object.entries(cases)) {
  validation(`${title}`, () => assert.equal(found(spec), errors))
}
validation('are not compiled for a type that has none', () => {
  const plain = Kind('toys.v1.Plain', { data: field(2, StringMap()) })
  assert.is(compileValidator(buildTypeModel(plain) as StructNode), undefined)
})
validation.run()
