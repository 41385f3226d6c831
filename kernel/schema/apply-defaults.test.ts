import { Bool, embedded, field, Int32, Kind, kept, ListOf, MapOf, required, Struct, Text } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileDefaults } from './apply-defaults.js'
import { buildTypeModel, type StructNode } from './type-model.js'

const Port = Struct('core.v1.Port', {
  number: required(1, Int32()),
  protocol: field(2, Text({ default: 'TCP' })),
})
const Gadget = Kind('core.v1.Gadget', {
  policy: required(2, Text({ default: 'Always' })),
  replicas: kept(3, Int32({ default: 1 })),
  enabled: kept(4, Bool({ default: true })),
  ports: field(5, ListOf(Port)),
  named: field(6, MapOf(Port)),
  main: embedded(7, Port),
  spare: kept(8, Port),
  modes: field(9, ListOf(Text()), { default: ['rw'] }),
})
const fill = compileDefaults(buildTypeModel(Gadget) as StructNode)!
const filled = (object: Record<string, unknown>) => {
  fill(object)
  return object
}

const defaults = suite('static defaults')
const all = { policy: 'Always', replicas: 1, enabled: true, modes: ['rw'] }

defaults('fill unset fields', () => {
  assert.equal(filled({}), all)
})
defaults('treat the written zero of a required field as unset, but not a kept one', () => {
  assert.equal(filled({ policy: '', replicas: 0, enabled: false }), { ...all, replicas: 0, enabled: false })
})
defaults('leave fields that are set', () => {
  assert.equal(filled({ policy: 'Never', replicas: 3, modes: ['ro'] }), {
    ...all,
    policy: 'Never',
    replicas: 3,
    modes: ['ro'],
  })
})
defaults('are filled inside existing lists, maps and structs, and create none', () => {
  const object = filled({
    ports: [{ number: 1 }, { number: 2, protocol: 'UDP' }],
    named: { a: { number: 3 } },
    main: { number: 0 },
  })
  assert.equal(object, {
    ...all,
    ports: [
      { number: 1, protocol: 'TCP' },
      { number: 2, protocol: 'UDP' },
    ],
    named: { a: { number: 3, protocol: 'TCP' } },
    main: { number: 0, protocol: 'TCP' },
  })
})
defaults('give every object its own copy', () => {
  const first = filled({})
  ;(first['modes'] as string[]).push('x')
  assert.equal(filled({})['modes'], ['rw'])
})
defaults('are not compiled for a type that has none', () => {
  assert.is(compileDefaults(buildTypeModel(Kind('core.v1.Plain', { a: field(2, Text()) })) as StructNode), undefined)
})
defaults.run()
