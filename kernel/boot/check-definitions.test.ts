import type { AdmissionDefinition } from 'orch/sdk'
import { ageColumn, definePlugin, field, Int32, Kind, ListOf, MapList, nameColumn, Struct, Text, Type } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bootPlugins } from './boot-plugins.js'

const ofSpec = (fields: Record<string, never>) => Kind('t.v1.Thing', { spec: field(2, Struct('t.v1.Spec', fields)) })
const schema = ofSpec({ color: field(1, Text()) } as never)
const v1 = { name: 'v1', schema }
const column = { name: 'Color', type: 'string', description: '', cell: () => '' }
const thing = { group: 'example.com', kind: 'Thing', resource: 'things', namespaced: true, versions: [v1] }

/** The problems of a type that differs from a good one in these parts. */
async function problemsOf(parts: object, control?: object) {
  const plugin = definePlugin({
    name: 'wrong',
    register(to) {
      to.resource({ ...thing, ...parts } as never)
      if (control)
        to.admission({
          name: 'Odd',
          phase: 'mutate',
          sideEffects: 'none',
          review() {},
          ...control,
        } as AdmissionDefinition)
    },
  })
  const { problems } = await bootPlugins({ config: { plugins: [plugin] } })
  return problems.map(({ code, message }) => ({ code, message }))
}
const spec = (name: string, text: object) => ({ versions: [{ name: 'v1', schema: ofSpec({ [name]: text } as never) }] })
const other = Kind('t.v2.Thing', { spec: field(2, Struct('t.v2.Spec', { paint: field(1, Text()) })) })

const wrong: Record<string, { parts: object; says: RegExp; control?: object }> = {
  'a group with capitals and underscores': {
    parts: { group: 'Example_com' },
    says: /group: "Example_com" is not a domain/,
  },
  'a kind in lower case': { parts: { kind: 'thing' }, says: /kind: "thing" is not a valid kind/ },
  'an invalid version name': {
    parts: { versions: [{ name: 'one', schema }] },
    says: /version one: "one" is not a version/,
  },
  'a resource that is a path': { parts: { resource: 'Things/../x' }, says: /resource: "Things\/..\/x" cannot be part/ },
  'a short name with a space': { parts: { shortNames: ['t h'] }, says: /shortNames: "t h" is not a valid name/ },
  'a category twice': { parts: { categories: ['all', 'all'] }, says: /categories: a name is listed twice/ },
  'no version': { parts: { versions: [] }, says: /versions: there is none/ },
  'a version twice': { parts: { versions: [{ ...v1, storage: true }, v1] }, says: /version v1: it is defined twice/ },
  'two storage versions': {
    parts: {
      versions: [
        { ...v1, storage: true },
        { ...v1, name: 'v2', storage: true },
      ],
    },
    says: /v1 and v2 are both marked as storage/,
  },
  'no storage version': { parts: { versions: [v1, { ...v1, name: 'v2' }] }, says: /none is marked as storage/ },
  'different schemas without conversion': {
    parts: {
      versions: [
        { ...v1, storage: true },
        { name: 'v2', schema: other },
      ],
    },
    says: /version v2: the fields of Thing differ from those in v1, and toStorage and fromStorage is missing/,
  },
  'a conversion in one direction': {
    parts: {
      versions: [
        { ...v1, storage: true },
        { ...v1, name: 'v2', toStorage: (o: unknown) => o },
      ],
    },
    says: /fromStorage is missing/,
  },
  'a schema that is not a Kind': {
    parts: { versions: [{ name: 'v1', schema: Type.Object({ spec: Type.String() }) }] },
    says: /its schema is not a Kind/,
  },
  'a duplicate Protobuf number': {
    parts: { versions: [{ name: 'v1', schema: ofSpec({ a: field(1, Text()), b: field(1, Text()) } as never) }] },
    says: /field spec: "a" and "b" both have the Protobuf number 1\. Give "b" another number/,
  },
  'the Protobuf number of metadata': {
    parts: { versions: [{ name: 'v1', schema: Kind('t.v1.Thing', { spec: field(1, Text()) }) }] },
    says: /"metadata" and "spec" both have the Protobuf number 1/,
  },
  'a reserved Protobuf number': { parts: spec('a', field(19_500, Text())), says: /Protobuf number 19500/ },
  'a Protobuf number of 0': { parts: spec('a', field(0, Text())), says: /Protobuf number 0/ },
  'a default outside its enum': {
    parts: spec('color', field(1, Text({ enum: ['red'], default: 'pink' }))),
    says: /version v1, field spec.color: its default "pink" is not one of "red"/,
  },
  'a default of another type': {
    parts: spec('size', field(1, Int32(), { default: 'big' })),
    says: /default "big" is not of type integer/,
  },
  'a default beyond its limit': {
    parts: spec('size', field(1, Int32({ maximum: 3, default: 4 }))),
    says: /above the maximum 3/,
  },
  'a default that does not match its pattern': {
    parts: spec('a', field(1, Text({ pattern: '^[a-c]+$', default: 'x' }))),
    says: /does not match the pattern/,
  },
  'a pattern that does not compile': {
    parts: spec('a', field(1, Text({ pattern: '([' }))),
    says: /is not a valid regular expression/,
  },
  'an enum with a duplicate value': {
    parts: spec('a', field(1, Text({ enum: ['x', 'x'] }))),
    says: /contains a value twice/,
  },
  'a minimum above the maximum': {
    parts: spec('a', field(1, Text({ minLength: 3, maxLength: 2 }))),
    says: /minLength 3 is above maxLength 2/,
  },
  'a list key that is not a field of its items': {
    parts: spec('ports', field(1, MapList(Struct('t.v1.Port', { port: field(1, Int32()) }), 'name'))),
    says: /field spec.ports: "name" is a key of its items/,
  },
  'a mistake inside a list': {
    parts: spec('a', field(1, ListOf(Text({ pattern: '*' })))),
    says: /field spec.a\[\]: the pattern/,
  },
  'a column without a cell': {
    parts: { columns: [{ ...column, cell: undefined }] },
    says: /column "Color": it has no cell/,
  },
  'two columns of one name': { parts: { columns: [column, column] }, says: /another column has the same name/ },
  'a column of an unknown type': {
    parts: { columns: [{ ...column, type: 'text' }] },
    says: /its type is "text"/,
  },
  'a misspelt key of a strategy': {
    parts: { strategy: { prepareForCrate() {} } },
    says: /strategy: there is no "prepareForCrate"\. Did you mean "prepareForCreate"/,
  },
  'a misspelt key of the type': {
    parts: { shortName: ['t'] },
    says: /there is no "shortName"\. Did you mean "shortNames"/,
  },
  'a rule that is not a function': { parts: { strategy: { validate: true } }, says: /"validate" is not a function/ },
  'a verb that does not exist': { parts: { verbs: ['get', 'post'] }, says: /there is no verb "post"/ },
  'a subresource that is a path': {
    parts: { subresources: { 'a/b': { kind: 'update', strategy: {} } } },
    says: /subresource "a\/b": it cannot be part of a path/,
  },
  'a subresource without a strategy': {
    parts: { subresources: { status: { kind: 'update' } } },
    says: /it has no strategy/,
  },
  'a subresource that does not connect': {
    parts: {
      subresources: {
        proxy: { kind: 'connect', objectKind: 'Options', schema: Struct('a.v1.Options', {}), verbs: ['get'] },
      },
    },
    says: /subresource "proxy": it does not connect/,
  },
  'a subresource without a kind': {
    parts: { subresources: { status: { strategy: {} } } },
    says: /its kind is undefined/,
  },
  'a generation that counts an unknown field': { parts: { generation: ['rules'] }, says: /there is no field "rules"/ },
  'a control without a phase': {
    parts: {},
    control: { phase: 'mutating' },
    says: /admission control "Odd", phase: it is "mutating"/,
  },
  'a control with invalid side effects': {
    parts: {},
    control: { sideEffects: 'None' },
    says: /sideEffects: it is "None"/,
  },
  'a control of an operation that does not exist': {
    parts: {},
    control: { matches: { operations: ['CREATE'] } },
    says: /matches, operations: there is no verb "CREATE"/,
  },
  'a control whose field is not a path': {
    parts: {},
    control: { whenSet: 'metadata.ownerReferences' },
    says: /whenSet: it is not a path/,
  },
}

const definitions = suite('definitions are checked at boot')

for (const [title, { parts, control, says }] of Object.entries(wrong))
  definitions(`${title} is reported in one line with plugin, place and remedy`, async () => {
    const [found, ...more] = await problemsOf(parts, control)
    assert.is(found?.code, 'ORCH_DEFINITION_INVALID')
    assert.match(found?.message ?? '', says)
    assert.match(found?.message ?? '', /^Plugin "wrong", .*\.$/)
    assert.equal(more, [])
  })
definitions(
  'a valid definition has no problems, and all mistakes of an invalid one are reported together',
  async () => {
    assert.equal(await problemsOf({ columns: [nameColumn, column, ageColumn], shortNames: ['th'] }), [])
    assert.is((await problemsOf({ group: 'A_b', kind: 'x', shortNames: ['Y'], columns: [{ name: 'Z' }] })).length, 5)
  },
)
definitions('versions that differ in defaults and limits only need no conversion', async () => {
  const strict = ofSpec({ color: field(1, Text({ default: 'red', maxLength: 9 })) } as never)
  assert.equal(
    await problemsOf({
      versions: [
        { ...v1, storage: true },
        { name: 'v1beta1', schema: strict },
      ],
    }),
    [],
  )
})

definitions('a subresource of an unknown type fails the boot, with the remedy', async () => {
  const subresource = { kind: 'update' as const, strategy: {} }
  const plugin = definePlugin({
    name: 'lonely',
    register: to => to.subresource({ group: 'example.com', resource: 'things', name: 'approval', subresource }),
  })
  const { problems } = await bootPlugins({ config: { plugins: [plugin] } })
  assert.is(problems[0]?.code, 'ORCH_DEFINITION_INVALID')
  assert.match(
    problems[0]?.message ?? '',
    /"lonely", subresource "things.example.com\/approval": no plugin provides .* Enable/,
  )
})

definitions.run()
