import { field, ListOf, Struct, Text } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compileGateDropper } from './drop-gated-fields.js'

const dropping = suite('fields behind gates')

const Part = Struct('a.v1.Part', { name: field(1, Text()), young: field(2, Text(), { gate: 'Young' }) })
const Whole = Struct('a.v1.Whole', { parts: field(1, ListOf(Part)), young: field(2, Text(), { gate: 'Other' }) })
const drop = compileGateDropper(Whole, gate => gate === 'Other')!
const sent = () => ({ parts: [{ name: 'a', young: 'yes' }, { name: 'b' }], young: 'kept' })

dropping('are dropped while the gate is off', () => {
  const draft = sent()
  drop(draft, undefined)
  assert.equal(draft, { parts: [{ name: 'a' }, { name: 'b' }], young: 'kept' })
  drop(draft, { parts: [{ name: 'a' }] })
  assert.equal(draft, { parts: [{ name: 'a' }, { name: 'b' }], young: 'kept' })
})
dropping('stay if the stored object has them anywhere', () => {
  const draft = sent()
  drop(draft, { parts: [{ name: 'b', young: 'before' }] })
  assert.equal(draft, sent())
})
dropping('that are null when unset become null, so that the object equals the stored one', () => {
  const shown = { gate: 'Young', presence: 'always', nullable: true } as const
  const Shown = Struct('a.v1.Shown', { name: field(1, Text()), young: field(2, Part, shown) })
  const draft = { name: 'a', young: { name: 'b' } }
  compileGateDropper(Shown, () => false)!(draft, { name: 'a', young: null })
  assert.equal(draft, { name: 'a', young: null })
})
dropping('stay in updates if their gate applies to creates only', () => {
  const Fixed = Struct('a.v1.Fixed', { young: field(1, Text(), { gate: 'Young', gateAppliesTo: 'create' }) })
  const draft = { young: 'yes' }
  const dropFixed = compileGateDropper(Fixed, () => false)!
  dropFixed(draft, {})
  assert.equal(draft, { young: 'yes' })
  dropFixed(draft, undefined)
  assert.equal(draft, {})
})
dropping('stay in a struct that keeps gated fields, and not below it', () => {
  const Outer = Struct('a.v1.Outer', {
    own: field(1, Whole, { keepsGatedFields: true }),
    other: field(2, Whole),
  })
  const draft = { own: sent(), other: sent() }
  compileGateDropper(Outer, () => false)!(draft, undefined)
  const parts = [{ name: 'a' }, { name: 'b' }]
  assert.equal(draft as object, { own: { parts, young: 'kept' }, other: { parts } })
})
dropping('are dropped with their struct if it has no other fields', () => {
  const Inner = Struct('a.v1.Inner', {
    name: field(1, Text()),
    young: field(2, Text(), { gate: 'Young', dropsEmptyParent: true }),
  })
  const Outer = Struct('a.v1.Outer', { inner: field(1, Inner) })
  const dropped = (inner: object) => {
    const draft = { inner }
    compileGateDropper(Outer, () => false)!(draft, undefined)
    return draft as object
  }
  assert.equal(dropped({ young: 'a' }), {})
  assert.equal(dropped({ young: 'a', name: 'b' }), { inner: { name: 'b' } })
  assert.equal(dropped({}), { inner: {} })
})
dropping('cost nothing when all gates are on', () => {
  assert.is(
    compileGateDropper(Whole, () => true),
    undefined,
  )
})

dropping.run()
