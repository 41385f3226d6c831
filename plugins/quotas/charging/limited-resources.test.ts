import { type AdmissionConfiguration, orchProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { quotaNames } from '../names.js'
import { limitedResources } from './limited-resources.js'

const names = quotaNames(new Vendor({ ...orchProfile, groupDomain: 'acme.test' }))
const read = (given: unknown) =>
  limitedResources({ of: name => (name === 'ResourceQuota' ? given : undefined) } as AdmissionConfiguration, names)
const head = { apiVersion: 'apiserver.config.acme.test/v1', kind: 'ResourceQuotaConfiguration' }

const configuration = suite('configuration of ResourceQuota')

configuration('is empty when there is none', () => {
  assert.equal(read(undefined), [])
  assert.equal(read(head), [])
})
configuration('lists what is limited', () => {
  const limited = [
    { resource: 'pods', matchScopes: [{ scopeName: 'PriorityClass', operator: 'In', values: ['gold'] }] },
    { apiGroup: 'acme.test', resource: 'widgets', matchContains: ['count/'] },
  ]
  assert.equal(read({ ...head, limitedResources: limited }), limited)
})
configuration('may be of the older group', () => {
  const old = { apiVersion: 'resourcequota.admission.acme.test/v1beta1', kind: 'Configuration' }
  assert.equal(read({ ...old, limitedResources: [{ resource: 'pods' }] }), [{ resource: 'pods' }])
})
for (const [title, given] of Object.entries({
  'is no object': [],
  'is of another kind': { ...head, kind: 'Other' },
  'has an unknown field': { ...head, limits: [] },
  'has no list': { ...head, limitedResources: {} },
  'limits nothing by name': { ...head, limitedResources: [{ matchContains: ['x'] }] },
  'limits a resource without a name': { ...head, limitedResources: [{ resource: '' }] },
  'has a misspelt field': { ...head, limitedResources: [{ resource: 'pods', matchContain: ['x'] }] },
  'has a scope without operator': {
    ...head,
    limitedResources: [{ resource: 'pods', matchScopes: [{ scopeName: 'PriorityClass' }] }],
  },
}))
  configuration(`is refused when it ${title}`, () => {
    assert.throws(() => read(given), /ResourceQuota/)
  })

configuration.run()
