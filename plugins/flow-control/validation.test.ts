import { type FieldError, kubernetesProfile, profileAtVersion, type StrategyContext, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { FlowSchema } from './flow-schemas/schema.js'
import { validateFlowSchema } from './flow-schemas/validation.js'
import { flowControlNames } from './names.js'
import type { PriorityLevel } from './priority-levels/schema.js'
import { validatePriorityLevel } from './priority-levels/validation.js'
import { markZeroShares } from './priority-levels/zero-shares.js'

const namesAt = (version: string) =>
  flowControlNames(new Vendor(profileAtVersion(kubernetesProfile, version) ?? kubernetesProfile))
const found = (errors: readonly FieldError[]) =>
  errors.map(({ field, type }) => `${field}: ${type.replace('FieldValue', '')}`)

const schemas = suite('flow schemas')
const withMethods = (verbs: string[]): FlowSchema => ({
  metadata: { name: 'a' },
  spec: {
    priorityLevelConfiguration: { name: 'workload-low' },
    matchingPrecedence: 5000,
    rules: [
      {
        subjects: [{ kind: 'User', user: { name: 'alice' } }],
        nonResourceRules: [{ verbs, nonResourceURLs: ['/x'] }],
      },
    ],
  },
})
schemas('rules for other paths have the verbs of rules for resources', () => {
  assert.equal(found(validateFlowSchema(withMethods(['list', 'watch', 'proxy', 'deletecollection']))), [])
  for (const method of ['post', 'head', 'options', 'put'])
    assert.equal(found(validateFlowSchema(withMethods(['get', method]))), [
      'spec.rules[0].nonResourceRules[0].verbs: NotSupported',
    ])
})
schemas.run()

const levels = suite('priority levels')
const validateAt = (version: string, level: PriorityLevel, stored?: PriorityLevel) =>
  found(validatePriorityLevel(namesAt(version))(level, { requestVersion: 'v1' } as StrategyContext, stored))
const named = (name: string, type: string, queuing?: object): PriorityLevel => {
  const limitResponse = queuing ? { type: 'Queue', queuing } : { type: 'Reject' }
  return {
    metadata: { name },
    spec: { type, limited: { nominalConcurrencyShares: 1, limitResponse } },
  } as PriorityLevel
}
const withShares = (nominalConcurrencyShares: number): PriorityLevel => ({
  metadata: { name: 'a' },
  spec: { type: 'Limited', limited: { nominalConcurrencyShares, limitResponse: { type: 'Reject' } } },
})

levels('that one is exempt if it has the name is also checked for an unknown type', () => {
  assert.equal(validateAt('1.36', named('other', 'Unlimited')), ['spec.type: NotSupported'])
  assert.equal(validateAt('1.36', named('exempt', 'Unlimited')), [
    'spec.type: Invalid',
    'spec: Invalid',
    'spec.type: NotSupported',
  ])
})
const hands: Record<string, [queuing: object, fields: string[]]> = {
  'without any queues': [{ queues: 0, handSize: 0, queueLengthLimit: 1 }, ['queues', 'handSize']],
  'negative, with even fewer queues': [{ queues: -2, handSize: -1, queueLengthLimit: 1 }, ['queues', 'handSize']],
  'of more queues than there are': [{ queues: 2, handSize: 3, queueLengthLimit: 1 }, ['handSize']],
  'that needs too many bits': [{ queues: 10_000_000, handSize: 3, queueLengthLimit: 1 }, ['handSize']],
}
for (const [title, [queuing, fields]] of Object.entries(hands))
  levels(`a hand ${title} is reported once`, () => {
    const at = 'spec.limited.limitResponse.queuing'
    assert.equal(
      validateAt('1.36', named('a', 'Limited', queuing)),
      fields.map(field => `${at}.${field}: Invalid`),
    )
  })
levels('0 shares are allowed since 1.30, and in 1.29 where there are none already', () => {
  const refused = ['spec.limited.nominalConcurrencyShares: Invalid']
  for (const version of ['1.29', '1.28']) assert.equal(validateAt(version, withShares(0)), refused)
  assert.equal(validateAt('1.29', withShares(0), withShares(1)), refused)
  assert.equal(validateAt('1.29', withShares(0), withShares(0)), [])
  assert.equal(validateAt('1.30', withShares(0)), [])
  assert.equal(validateAt('1.30', withShares(-1)), refused)
})

const annotation = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares'
levels('the annotation for 0 shares exists only in v1beta3', () => {
  const marked = { ...withShares(0), metadata: { name: 'a', annotations: { [annotation]: '' } } }
  assert.equal(validateAt('1.30', marked), ['metadata.annotations: Forbidden'])
  assert.equal(validateAt('1.27', { ...withShares(1), metadata: marked.metadata }), [])
  const { toStorage, fromStorage } = markZeroShares(annotation)
  assert.equal(fromStorage(withShares(0)), marked)
  assert.equal(fromStorage(withShares(1)), withShares(1))
  assert.equal(toStorage(marked), withShares(0))
  const metadata = { name: 'a', annotations: { [annotation]: '', other: 'x' } }
  assert.equal(toStorage({ ...marked, metadata }).metadata, { name: 'a', annotations: { other: 'x' } })
})
levels.run()
