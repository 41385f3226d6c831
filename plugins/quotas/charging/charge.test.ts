import { orchProfile, Vendor } from 'orch/sdk'
import type { ResourceList } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { formatAmounts, parseAmounts } from '../amounts/amounts.js'
import { Evaluators } from '../counting/evaluators.js'
import type { StoredQuota } from '../counting/resource-quota.js'
import { quotaNames } from '../names.js'
import { type Account, charge } from './charge.js'
import type { LimitedResource } from './limited-resources.js'

const evaluators = new Evaluators(quotaNames(new Vendor({ ...orchProfile, domain: 'acme.test' })))
const pods = evaluators.of({ group: '', resource: 'pods' })
const claims = evaluators.of({ group: '', resource: 'persistentvolumeclaims' })
const secrets = evaluators.of({ group: '', resource: 'secrets' })

const account = (hard: ResourceList, used: ResourceList, spec: StoredQuota['spec'] = {}): Account => ({
  quota: { metadata: { name: 'q' }, spec },
  name: 'q',
  hard: parseAmounts(hard),
  used: parseAmounts(used),
})
const pod = (requests: ResourceList = {}, more: object = {}) => ({
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', resources: { requests } }], ...more },
})
const claim = (storage: string) => ({ metadata: { name: 'c' }, spec: { resources: { requests: { storage } } } })
/** The new usage of one account, or the refusal. */
function outcome(request: Partial<Parameters<typeof charge>[0]>, one: Account, limited: LimitedResource[] = []) {
  const charged = charge({ evaluator: pods, object: pod(), stored: undefined, now: 0, ...request }, [one], limited)
  if (typeof charged === 'string') return charged
  const used = charged.get(one)
  return used ? formatAmounts(used) : 'free'
}

const charging = suite('charging a quota')

charging('adds the usage of the object to the limited resources', () => {
  const one = account({ pods: '2', 'requests.cpu': '1' }, { pods: '1', 'requests.cpu': '400m' })
  assert.equal(outcome({ object: pod({ cpu: '600m', memory: '1Gi' }) }, one), { pods: '2', 'requests.cpu': '1' })
})
charging('rejects a request that exceeds the quota, and reports only the exceeded resources', () => {
  const one = account({ pods: '2', 'requests.cpu': '1' }, { pods: '1', 'requests.cpu': '400m' })
  assert.is(
    outcome({ object: pod({ cpu: '601m' }) }, one),
    'exceeded quota: q, requested: requests.cpu=601m, used: requests.cpu=400m, limited: requests.cpu=1',
  )
})
charging('does not charge a quota twice, but still counts it as covering', () => {
  const paid = { ...account({ 'requests.cpu': '1' }, { 'requests.cpu': '1' }), isPaid: true }
  const limited = [{ resource: 'pods', matchContains: ['requests.cpu'] }]
  assert.is(outcome({ object: pod({ cpu: '600m' }) }, paid, limited), 'free')
})
charging('ignores an exceeded quota for resources that it does not limit', () => {
  assert.is(outcome({ evaluator: secrets }, account({ pods: '0' }, { pods: '5' })), 'free')
})
charging('rejects Pods that do not specify a restricted resource', () => {
  const one = account({ 'requests.cpu': '1', memory: '1Gi' }, { 'requests.cpu': '0', memory: '0' })
  assert.is(outcome({}, one), 'failed quota: q: must specify memory,requests.cpu')
})
charging('does not demand that of storage or other resources', () => {
  const hard = { 'requests.ephemeral-storage': '1Gi', 'requests.other.test/gpu': '1' }
  assert.is(outcome({}, account(hard, { 'requests.ephemeral-storage': '0', 'requests.other.test/gpu': '0' })), 'free')
})
charging('refuses until usage has been counted', () => {
  assert.is(outcome({}, account({ pods: '2' }, {})), 'status unknown for quota: q, resources: pods')
})
charging('rejects negative usage', () => {
  const one = account({ 'requests.cpu': '1' }, { 'requests.cpu': '0' })
  assert.match(
    outcome({ object: pod({ cpu: '-1' }) }, one) as string,
    /usage is negative for resource\(s\): cpu,requests\.cpu/,
  )
})
charging('charges an update with the increase in usage, and does not release a decrease', () => {
  const one = () => account({ 'requests.storage': '10Gi' }, { 'requests.storage': '8Gi' })
  const update = (from: string, to: string) =>
    outcome({ evaluator: claims, object: claim(to), stored: claim(from) }, one())
  assert.equal(update('1Gi', '3Gi'), { 'requests.storage': '10Gi' })
  assert.match(update('1Gi', '4Gi') as string, /requested: requests\.storage=3Gi/)
  assert.is(update('3Gi', '1Gi'), 'free')
  assert.is(update('3Gi', '3Gi'), 'free')
})
charging('charges an update with the full usage where it brings the object into the scopes', () => {
  const object = pod({ cpu: '1' }, { activeDeadlineSeconds: 5 })
  const stored = pod({ cpu: '1' })
  const used = { pods: '0', 'requests.cpu': '0' }
  const entered = account({ pods: '2', 'requests.cpu': '2' }, used, { scopes: ['Terminating'] })
  assert.equal(outcome({ object, stored }, entered), { pods: '1', 'requests.cpu': '1' })
  assert.is(outcome({ object, stored }, account({ pods: '2', 'requests.cpu': '2' }, used)), 'free')
  const small = account({ pods: '0' }, { pods: '0' }, { scopes: ['Terminating'] })
  assert.match(String(outcome({ object, stored }, small)), 'exceeded quota')
})
charging('concerns only Pods within all scopes of the quota', () => {
  const bounded = { activeDeadlineSeconds: 5 }
  const one = account({ pods: '0' }, { pods: '0' }, { scopes: ['Terminating', 'BestEffort'] })
  assert.match(outcome({ object: pod({}, bounded) }, one) as string, /exceeded/)
  assert.is(outcome({ object: pod() }, one), 'free')
  assert.is(outcome({ object: pod({ cpu: '1' }, bounded) }, one), 'free')
  assert.is(
    outcome({ evaluator: secrets }, account({ secrets: '0' }, { secrets: '0' }, { scopes: ['BestEffort'] })),
    'free',
  )
})

const gold = { scopeName: 'PriorityClass', operator: 'In', values: ['gold'] }
charging('lets limited resources be used only where a quota covers them', () => {
  const limited = [{ resource: 'persistentvolumeclaims', matchContains: ['requests.storage'] }]
  const request = { evaluator: claims, object: claim('1Gi') }
  const other = account({ persistentvolumeclaims: '5' }, { persistentvolumeclaims: '0' })
  assert.is(outcome(request, other, limited), 'insufficient quota to consume: requests.storage')
  const covering = account({ 'requests.storage': '5Gi' }, { 'requests.storage': '0' })
  assert.equal(outcome(request, covering, limited), { 'requests.storage': '1Gi' })
  assert.equal(outcome({}, account({ pods: '1' }, { pods: '0' }), limited), { pods: '1' })
})
charging('lets limited scopes be entered only where a quota covers them', () => {
  const limited = [{ resource: 'pods', matchScopes: [gold] }]
  const request = { object: pod({}, { priorityClassName: 'gold' }) }
  const other = account({ pods: '5' }, { pods: '0' })
  assert.is(outcome(request, other, limited), 'insufficient quota to match these scopes: [{PriorityClass In [gold]}]')
  const covering = account({ pods: '5' }, { pods: '0' }, { scopeSelector: { matchExpressions: [gold] } })
  assert.equal(outcome(request, covering, limited), { pods: '1' })
  assert.equal(outcome({ object: pod() }, other, limited), { pods: '1' })
})

charging.run()
