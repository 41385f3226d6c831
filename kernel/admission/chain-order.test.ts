import { defineAdmission } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type AnyAdmission, chainProblems, namesByPhase, orderChain } from './chain-order.js'

const control = (
  name: string,
  more: Partial<Pick<AnyAdmission, 'stage' | 'after' | 'before' | 'enabledByDefault'>> = {},
) => ({
  plugin: 'any',
  definition: defineAdmission()({ name, phase: 'validate', sideEffects: 'none', review: () => {}, ...more }),
})
const settings = (more: object = {}) => ({
  enableAdmissionPlugins: [],
  disableAdmissionPlugins: [],
  admissionOrder: [],
  ...more,
})
const namesOf = (chain: { definition: { name: string } }[]) => chain.map(each => each.definition.name).join(' ')

const order = suite('the order of admission')

order('is that of the stages, whatever the order of registration', () => {
  const controls = [
    control('Count', { stage: 'accounting' }),
    control('Ask', { stage: 'webhooks' }),
    control('Check'),
    control('Exists', { stage: 'existence' }),
  ]
  assert.is(namesOf(orderChain(controls, settings())), 'Exists Check Ask Count')
  assert.is(namesOf(orderChain(controls.reverse(), settings())), 'Exists Check Ask Count')
})
order('is that of registration within a stage, unless a control names another', () => {
  const controls = [control('A', { after: ['C'] }), control('B'), control('C'), control('D', { before: ['B'] })]
  assert.is(namesOf(orderChain(controls, settings())), 'C A D B')
})
order('allows a control of a third party at any position', () => {
  const chain = [control('Exists', { stage: 'existence' }), control('Default', { stage: 'defaults' }), control('Check')]
  assert.is(
    namesOf(orderChain([...chain, control('Mine', { before: ['Exists'] })], settings())),
    'Mine Exists Default Check',
  )
  assert.is(
    namesOf(orderChain([...chain, control('Mine', { after: ['Exists'], before: ['Default'] })], settings())),
    'Exists Mine Default Check',
  )
})
order('is kept across disabled controls and unknown names', () => {
  const controls = [
    control('Late', { after: ['Middle'] }),
    control('Middle', { after: ['Early', 'Absent'], enabledByDefault: false }),
    control('Early'),
  ]
  assert.is(namesOf(orderChain(controls, settings())), 'Early Late')
})
order('is overridden by the operator', () => {
  const controls = [control('A'), control('B', { after: ['A'] }), control('C')]
  assert.is(namesOf(orderChain(controls, settings({ admissionOrder: ['C', 'B', 'A'] }))), 'C B A')
})
order('omits controls that are off by default or disabled, and includes enabled ones', () => {
  const controls = [
    control('On'),
    control('Off', { enabledByDefault: false }),
    control('Wanted', { enabledByDefault: false }),
  ]
  const chosen = { enableAdmissionPlugins: ['Wanted'], disableAdmissionPlugins: ['On'] }
  assert.is(namesOf(orderChain(controls, settings(chosen))), 'Wanted')
})
order('reports cycles and names that are probably misspelt', () => {
  const codes = (...controls: ReturnType<typeof control>[]) =>
    chainProblems(controls, settings()).map(({ code, details }) => ({ code, details }))
  assert.equal(codes(control('A', { after: ['B'] }), control('B', { after: ['A'] })), [
    { code: 'ORCH_ADMISSION_CYCLE', details: { plugin: 'any', names: ['A', 'B'] } },
  ])
  const details = { plugin: 'any', name: 'A', other: 'Prioritty', suggestion: 'Priority' }
  assert.equal(codes(control('A', { after: ['Prioritty'] }), control('Priority')), [
    { code: 'ORCH_ADMISSION_PLACE', details },
  ])
  assert.equal(codes(control('A', { after: ['SomethingElse'] })), [])
  const absent = control('A', { after: ['DefaultIngressClass'] })
  assert.equal(codes(absent, control('DefaultStorageClass')), [], 'another control of that kind')
})
order('is listed by phase: a control of both phases is in both lists', () => {
  const phases = ['both', 'mutate', 'validate'] as const
  const chain = phases.map(phase => ({ plugin: 'any', definition: { ...control(phase).definition, phase } }))
  assert.equal(namesByPhase(chain), { mutating: ['both', 'mutate'], validating: ['both', 'validate'] })
})

order.run()
