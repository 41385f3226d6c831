import { defineAdmission } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { namesByPhase, orderChain } from './chain-order.js'

const control = (name: string, more: { order?: 'first' | 'last'; enabledByDefault?: boolean } = {}) => ({
  plugin: 'any',
  definition: defineAdmission()({ name, phase: 'validate', sideEffects: 'none', review: () => {}, ...more }),
})
const namesOf = (chain: { definition: { name: string } }[]) => chain.map(each => each.definition.name)

const order = suite('the order of admission')

order('does not depend on the order of registration', () => {
  const controls = [
    control('AlwaysDeny'),
    control('MutatingAdmissionWebhook'),
    control('LimitRanger'),
    control('NamespaceLifecycle'),
  ]
  const expected = ['NamespaceLifecycle', 'LimitRanger', 'MutatingAdmissionWebhook', 'AlwaysDeny']
  assert.equal(namesOf(orderChain(controls, [], [])), expected)
  assert.equal(namesOf(orderChain([...controls].reverse(), [], [])), expected)
})
order('puts an unknown control before the webhooks, in the order of the config', () => {
  const chain = orderChain(
    [control('ValidatingAdmissionWebhook'), control('Mine'), control('Yours'), control('Priority')],
    [],
    [],
  )
  assert.equal(namesOf(chain), ['Priority', 'Mine', 'Yours', 'ValidatingAdmissionWebhook'])
})
order('lets a control ask for either end', () => {
  const chain = orderChain(
    [control('Z', { order: 'last' }), control('NamespaceLifecycle'), control('A', { order: 'first' })],
    [],
    [],
  )
  assert.equal(namesOf(chain), ['A', 'NamespaceLifecycle', 'Z'])
})
order('leaves out what is off by default or disabled, and takes in what is enabled', () => {
  const controls = [
    control('On'),
    control('Off', { enabledByDefault: false }),
    control('Wanted', { enabledByDefault: false }),
  ]
  assert.equal(namesOf(orderChain(controls, ['Wanted'], ['On'])), ['Wanted'])
})
order('is told by phase: a control of both stands in both', () => {
  const phases = ['both', 'mutate', 'validate'] as const
  const chain = phases.map(phase => ({
    plugin: 'any',
    definition: { ...control(phase).definition, phase },
  }))
  assert.equal(namesByPhase(chain), { mutating: ['both', 'mutate'], validating: ['both', 'validate'] })
})

order.run()
