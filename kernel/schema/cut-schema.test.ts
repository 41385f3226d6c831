import { field, ListOf, MapOf, required, ServedLevel, Struct, Text, type TSchema } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SchemaCutter } from './cut-schema.js'
import { buildTypeModel, type StructNode } from './type-model.js'

const cutting = suite('schemas cut to a level')

const Part = Struct('a.v1.Part', {
  name: required(1, Text()),
  added: field(2, Text(), { since: '1.27' }),
})
const Plain = Struct('a.v1.Plain', { text: field(1, Text()) })
const Whole = Struct('a.v1.Whole', {
  parts: field(1, ListOf(Part)),
  byName: field(2, MapOf(Part)),
  plain: field(3, Plain),
  old: required(4, Text(), { until: '1.24' }),
  policy: field(5, Text({ enum: ['A', 'B'] }), {
    default: 'A',
    revised: [
      { since: '1.28', additive: true, to: { enum: ['A', 'B', 'C'] } },
      { since: '1.30', to: { default: 'C' } },
    ],
  }),
})

const at = (version: `${number}.${number}`, isAdditive = false) => {
  const cut = new SchemaCutter(new ServedLevel(version, { isAdditive })).cut(Whole as TSchema)
  return buildTypeModel(cut) as StructNode
}
const names = (node: StructNode) => [...node.fields.keys()].join(' ')
const itemOf = (node: StructNode) => {
  const list = node.fields.get('parts')!.node
  return list.is === 'list' ? (list.item as StructNode) : undefined
}

cutting('have the fields of that version, at any depth', () => {
  assert.is(names(at('1.23')), 'parts byName plain old policy')
  assert.is(names(itemOf(at('1.23'))!), 'name')
  assert.is(names(at('1.27')), 'parts byName plain policy')
  assert.is(names(itemOf(at('1.27'))!), 'name added')
  const map = at('1.23').fields.get('byName')!.node
  assert.is(map.is === 'map' && names(map.value as StructNode), 'name')
})

cutting('do not require removed fields', () => {
  assert.equal(at('1.23').schema['required'], ['old'])
  assert.equal(at('1.25').schema['required'], [])
})

cutting('have the revised markers of a field since that version', () => {
  const policy = (node: StructNode) => {
    const { default: value, schema } = node.fields.get('policy')!
    return [value, (schema['enum'] as string[]).join('')]
  }
  assert.equal(policy(at('1.23')), ['A', 'AB'])
  assert.equal(policy(at('1.28')), ['A', 'ABC'])
  assert.equal(policy(at('1.36')), ['C', 'ABC'])
  assert.equal(policy(at('1.23', true)), ['A', 'ABC'], 'a server of the specification uses additive revisions only')
})

cutting('have no default for a field whose gate is off', () => {
  const Gated = Struct('a.v1.Gated', { flag: field(1, Text(), { default: 'no', gate: 'Young' }) })
  const defaultAt = (isOn: boolean) => {
    const cutter = new SchemaCutter(new ServedLevel('1.30'), () => isOn)
    return (buildTypeModel(cutter.cut(Gated)) as StructNode).fields.get('flag')!.default
  }
  assert.equal([defaultAt(true), defaultAt(false)], ['no', undefined])
})

cutting('have everything at a server of the specification', () => {
  assert.is(names(at('1.23', true)), 'parts byName plain old policy')
  assert.is(names(itemOf(at('1.23', true))!), 'name added')
})

cutting('stay the same object where nothing changes', () => {
  const cutter = new SchemaCutter(new ServedLevel('1.23'))
  assert.is(cutter.cut(Plain), Plain)
  assert.is.not(cutter.cut(Part), Part)
  const twice = Struct('a.v1.Twice', { one: field(1, Part), two: field(2, Part) })
  const { properties } = cutter.cut(twice)
  assert.is(properties.one['properties'], properties.two['properties'], 'a struct that is shared stays shared')
})

cutting('can contain themselves', () => {
  const fields: Record<string, TSchema> = { gone: field(1, Text(), { until: '1.24' }) }
  const Tree = Struct('a.v1.Tree', fields)
  fields['branches'] = field(2, ListOf(Tree))
  const model = buildTypeModel(new SchemaCutter(new ServedLevel('1.30')).cut(Tree)) as StructNode
  const branches = model.fields.get('branches')!.node
  assert.is(names(model), 'branches')
  assert.is(branches.is === 'list' && names(branches.item as StructNode), 'branches')
})

cutting('report when they last changed', () => {
  const last = (version: `${number}.${number}`, schema: TSchema) =>
    new SchemaCutter(new ServedLevel(version)).lastChange(schema)
  assert.is(last('1.23', Whole), undefined)
  assert.is(last('1.26', Whole), '1.25')
  assert.is(last('1.27', Whole), '1.27')
  assert.is(last('1.36', Whole), '1.30')
  assert.is(last('1.36', Plain), undefined)
})

cutting.run()
