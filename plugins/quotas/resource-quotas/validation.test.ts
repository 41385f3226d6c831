import { kubernetesProfile, orchProfile, profileAtVersion, type StrategyContext, Vendor } from 'orch/sdk'
import { stepsOf } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { mainStrategy } from './resource.js'
import type { ResourceQuota, ResourceQuotaSpec } from './schema.js'
import { validateResourceQuota, validateResourceQuotaUpdate } from './validation.js'
import { requestWarnings } from './warnings.js'

const vendor = new Vendor({ ...orchProfile, domain: 'acme.test' })
const validation = suite('validation of resource quotas')
const scoped = (scopeName: string, operator: string, values?: string[]) => ({
  scopeSelector: { matchExpressions: [{ scopeName, operator, ...(values ? { values } : {}) }] },
})
const selector = 'spec.scopeSelector.matchExpressions'

const cases: Record<string, [spec: ResourceQuotaSpec, ...wrong: string[]]> = {
  'accepts counts and amounts': [
    { hard: { pods: '1', 'limits.cpu': '2', 'count/widgets.example.com': '3', 'requests.storage': '1Gi' } },
  ],
  'refuses an unknown resource': [{ hard: { bogus: '1' } }, 'spec.hard[bogus] Invalid', 'spec.hard[bogus] Invalid'],
  'refuses a negative amount': [{ hard: { cpu: '-1' } }, 'spec.hard[cpu] Invalid'],
  'rejects a fractional count': [{ hard: { secrets: '0.5' } }, 'spec.hard[secrets] Invalid'],
  'refuses an unknown scope': [{ scopes: ['Bogus'] }, 'spec.scopes Invalid'],
  'reports nothing else about an unknown scope': [{ scopes: ['Bogus'], hard: { secrets: '1' } }, 'spec.scopes Invalid'],
  'refuses scopes that exclude each other': [{ scopes: ['BestEffort', 'NotBestEffort'] }, 'spec.scopes Invalid'],
  'rejects resources of best-effort Pods': [{ scopes: ['BestEffort'], hard: { cpu: '1' } }, 'spec.scopes Invalid'],
  'refuses Secrets in a scope of Pods': [{ scopes: ['Terminating'], hard: { secrets: '1' } }, 'spec.scopes Invalid'],
  'rejects resources that quotas do not count': [
    { scopes: ['Terminating'], hard: { storage: '1Gi' } },
    'spec.hard[storage] Invalid',
  ],
  'accepts a priority class': [scoped('PriorityClass', 'In', ['high'])],
  'refuses a class without a name': [scoped('PriorityClass', 'In'), `${selector}.values Required`],
  'rejects values with Exists': [scoped('PriorityClass', 'Exists', ['a']), `${selector}.values Invalid`],
  'rejects an operator other than Exists for a Pod scope': [
    scoped('BestEffort', 'In', ['a']),
    `${selector}.operator Invalid`,
  ],
}
for (const [title, [spec, ...wrong]] of Object.entries(cases))
  validation(title, () => {
    const errors = validateResourceQuota({ spec }, vendor)
    assert.equal(
      errors.map(({ field, type }) => `${field} ${type.slice(10)}`),
      wrong,
    )
  })
validation('refuses other scopes on update', () => {
  const errors = validateResourceQuotaUpdate({ spec: { scopes: ['BestEffort'] } }, { spec: {} }, vendor)
  assert.equal(
    errors.map(({ field }) => field),
    ['spec.scopes'],
  )
})
validation('a scope of a later version is unknown', () => {
  const at = (version: string) => new Vendor(profileAtVersion(kubernetesProfile, version)!)
  const quota = { spec: { hard: { pods: '1' }, ...scoped('VolumeAttributesClass', 'Exists') } }
  const wrong = (version: string) => validateResourceQuota(quota, at(version)).map(({ field }) => field)
  assert.equal(wrong('1.30'), [`${selector}.scopeName`])
  assert.equal(wrong('1.36'), [selector])
})
validation.run()

const warnings = suite('warnings about resource quotas')
const warned: Record<string, [hard: Record<string, string>, ...resources: string[]]> = {
  'accept requests up to the limits': [{ 'requests.cpu': '1', 'limits.cpu': '1000m' }],
  'name requests above their limits': [
    { 'requests.cpu': '1001m', 'limits.cpu': '1', 'requests.storage': '2Gi', 'limits.storage': '1Gi' },
    'requests.cpu',
    'requests.storage',
  ],
  'take the plain name of cpu and memory for requests': [
    { cpu: '2', 'limits.cpu': '1', memory: '2Gi', 'limits.memory': '1Gi' },
    'cpu',
    'memory',
  ],
  'prefer requests to the plain name': [{ cpu: '2', 'requests.cpu': '1', 'limits.cpu': '1' }],
  'do not take the plain name of storage for requests': [
    { 'ephemeral-storage': '2Gi', 'limits.ephemeral-storage': '1Gi' },
  ],
  'need both': [{ 'requests.memory': '1Gi', 'limits.cpu': '1' }],
}
for (const [title, [hard, ...resources]] of Object.entries(warned))
  warnings(title, () => {
    assert.equal(
      requestWarnings({ spec: { hard } }).map(text => text.split(' ')[0]),
      resources,
    )
  })
const quotaAt = (version: string, stored?: ResourceQuota) => {
  const context = { vendor: new Vendor(profileAtVersion(kubernetesProfile, version)!) } as StrategyContext
  return stepsOf(mainStrategy).warnings({ spec: { hard: { cpu: '2', 'limits.cpu': '1' } } }, stored, context)
}
warnings('are about new quotas, since 1.35', () => {
  assert.is(quotaAt('1.35').length, 1)
  assert.equal(quotaAt('1.35', { spec: {} }), [])
  assert.equal(quotaAt('1.34'), [])
})
warnings.run()
