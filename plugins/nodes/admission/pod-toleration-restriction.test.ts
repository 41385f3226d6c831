import type { AdmissionConfiguration } from 'orch/sdk'
import type { PodSpec, Toleration } from 'orch/sdk/core'
import { admit, fakeCollections, type StatedRequest } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acmeNames, aPod } from '../testing/acme.js'
import { readSettings } from './pod-toleration-restriction/settings.js'
import { podTolerationRestriction } from './pod-toleration-restriction.js'

const control = podTolerationRestriction(acmeNames)
const exists = (key: string): Toleration => ({ key, operator: 'Exists' })
const equal = (value: string): Toleration => ({ key: 'k', operator: 'Equal', value, effect: 'NoSchedule' })
const named = { apiVersion: 'podtolerationrestriction.admission.api.acme.test/v1alpha1', kind: 'Configuration' }
const configured = (given?: object): AdmissionConfiguration => ({
  of: () => given && { ...named, ...given },
  pathFor: (_, file) => file,
})

interface World {
  readonly usual?: string
  readonly allowed?: string
  readonly configuration?: object
}
/** The tolerations of a Pod after the control, or the code of the refusal. */
async function after(
  spec: Partial<PodSpec>,
  { usual, allowed, configuration }: World = {},
  more: StatedRequest<ReturnType<typeof aPod>> = {},
) {
  const annotations = {
    ...(usual === undefined ? {} : { 'scheduler.alpha.acme.test/defaultTolerations': usual }),
    ...(allowed === undefined ? {} : { 'scheduler.alpha.acme.test/tolerationsWhitelist': allowed }),
  }
  const services = {
    ...fakeCollections({ namespaces: [{ metadata: { name: 'town', annotations } }] }),
    settings: readSettings(configured(configuration), acmeNames),
  }
  const { object, refusal } = await admit(control, { object: aPod(spec), ...more }, services)
  return refusal?.code ?? object.spec.tolerations
}
const text = (...tolerations: Toleration[]) => JSON.stringify(tolerations)
const byCluster = { configuration: { default: [exists('cluster')], whitelist: [exists('cluster'), exists('k')] } }

const cases: Record<string, [tolerations: Toleration[], world: World, outcome: unknown]> = {
  'does not change Pods without settings': [[exists('x')], {}, [exists('x')]],
  'adds those of the namespace': [[exists('x')], { usual: text(equal('v')) }, [exists('x'), equal('v')]],
  'omits tolerations that others cover': [[exists('k')], { usual: text(equal('v')) }, [exists('k')]],
  'adds those of the cluster if the namespace has no annotation': [
    [exists('k')],
    byCluster,
    [exists('k'), exists('cluster')],
  ],
  'adds nothing if the annotation of the namespace is empty': [
    [exists('k')],
    { ...byCluster, usual: '' },
    [exists('k')],
  ],
  'admits tolerations that the namespace allows': [[equal('v')], { allowed: text(equal('v')) }, [equal('v')]],
  'rejects tolerations that the namespace does not allow': [[equal('other')], { allowed: text(equal('v')) }, 403],
  'rejects tolerations that the cluster does not allow': [[exists('x')], byCluster, 403],
  'prefers the namespace to the cluster': [
    [exists('x')],
    { ...byCluster, usual: '[]', allowed: text(exists('x')) },
    [exists('x')],
  ],
  'checks tolerations that the namespace adds too': [[], { usual: text(exists('x')), allowed: text(exists('y')) }, 403],
  'fails on malformed defaults': [[], { usual: 'not json' }, 500],
  'fails on fractional seconds': [[], { usual: '[{"tolerationSeconds":1.5}]' }, 500],
  'ignores null values and unknown fields': [
    [],
    { usual: '[{"key":"x","operator":"Exists","value":null,"later":1}]' },
    [exists('x')],
  ],
  'fails on a malformed whitelist': [[exists('x')], { allowed: '{}' }, 500],
}
const restriction = suite('pod toleration restriction')
for (const [title, [tolerations, world, outcome]] of Object.entries(cases))
  restriction(`${title}, on a dry run too`, async () => {
    assert.equal(await after({ tolerations }, world), outcome)
    assert.equal(await after({ tolerations }, world, { dryRun: true }), outcome)
  })
restriction('adds a toleration of memory pressure to Pods that request memory', async () => {
  const containers = [{ name: 'c', image: 'i', resources: { requests: { memory: '1Gi' } } }]
  const toleration = { key: 'node.acme.test/memory-pressure', operator: 'Exists', effect: 'NoSchedule' }
  assert.equal(await after({ containers }), [toleration])
})
restriction('adds nothing on an update, but checks it', async () => {
  const update = { operation: 'update', oldObject: aPod() } as const
  assert.is(await after({}, { usual: text(equal('v')) }, update), undefined)
  assert.is(await after({ tolerations: [exists('x')] }, { allowed: text(equal('v')) }, update), 403)
})
restriction('does not start with an invalid configuration', () => {
  assert.throws(() => readSettings(configured({ default: [{ keys: 'x' }] }), acmeNames), /\/default\/0\/keys/)
  assert.throws(() => readSettings(configured({ kind: 'Other' }), acmeNames), /must be of/)
  const twofold = { key: 'k', operator: 'Exists', value: 'v' }
  assert.throws(() => readSettings(configured({ whitelist: [twofold] }), acmeNames), /whitelist\[0\]/)
})

restriction.run()
