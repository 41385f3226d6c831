import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nextConditions } from './conditions.js'
import type { Contents } from './empty-namespace.js'

const conditions = suite('conditions of a terminating namespace')
const noon = Date.parse('2020-01-01T12:00:00Z')
const empty: Contents = { undiscovered: [], failures: [], remaining: new Map(), finalizers: new Map() }
const stuck: Contents = {
  ...empty,
  remaining: new Map([['configmaps.', 2]]),
  finalizers: new Map([['a.test/b', 2]]),
}
const summary = (contents: Contents, before = nextConditions(empty, [], noon)) =>
  nextConditions(contents, before ?? [], noon)?.map(({ type, status }) => `${type} ${status}`)

conditions('all report success when nothing remains', () => {
  assert.equal(
    nextConditions(empty, [], noon)?.map(({ status, lastTransitionTime }) => `${status} ${lastTransitionTime}`),
    Array(5).fill('False 2020-01-01T12:00:00Z'),
  )
})

conditions('report the remaining objects and finalizers', () => {
  assert.equal(summary(stuck), [
    'NamespaceDeletionDiscoveryFailure False',
    'NamespaceDeletionGroupVersionParsingFailure False',
    'NamespaceDeletionContentFailure False',
    'NamespaceContentRemaining True',
    'NamespaceFinalizersRemaining True',
  ])
  const messages = nextConditions(stuck, [], noon)?.map(({ message }) => message)
  assert.is(messages?.[3], 'Some resources are remaining: configmaps. has 2 resource instances')
  assert.is(messages?.[4], 'Some content in the namespace has finalizers remaining: a.test/b in 2 resource instances')
})

conditions('report groups whose discovery failed', () => {
  const [first] = nextConditions({ ...empty, undiscovered: ['a.test/v1'] }, [], noon) ?? []
  assert.equal(
    [first?.type, first?.status, first?.reason],
    ['NamespaceDeletionDiscoveryFailure', 'True', 'DiscoveryFailed'],
  )
  assert.match(first?.message ?? '', 'a.test/v1')
})

conditions('do not change if nothing has changed', () => {
  const before = nextConditions(stuck, [], noon)
  assert.is(nextConditions(stuck, before ?? [], noon + 5000), undefined)
})

conditions('keep the time of their last transition while only the text changes', () => {
  const before = nextConditions(stuck, [], noon)
  const after = nextConditions({ ...stuck, remaining: new Map([['configmaps.', 1]]) }, before ?? [], noon + 5000)
  assert.is(after?.[3]?.lastTransitionTime, '2020-01-01T12:00:00Z')
})

conditions('do not affect conditions of others', () => {
  const foreign = { type: 'Audited', status: 'True', reason: 'x', message: 'y' }
  assert.equal(nextConditions(empty, [foreign], noon)?.[0], foreign)
})

conditions.run()
