import type { AdmissionConfiguration } from 'orch/sdk'
import { admit, fakeCollections, type StatedRequest } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acmeNames, aPod } from '../testing/acme.js'
import { readSettings } from './pod-node-selector/settings.js'
import { podNodeSelector } from './pod-node-selector.js'

const control = podNodeSelector(acmeNames)
const configured = (given: unknown): AdmissionConfiguration => ({ of: () => given, pathFor: (_, file) => file })
const settings = readSettings(
  configured({
    podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'pool=general', fenced: 'pool=special, a=b' },
  }),
)
type Labels = Record<string, string>

/** The resulting selector of a new Pod, or the code of the rejection. */
async function created(nodeSelector: Labels, annotation?: string, more: StatedRequest<ReturnType<typeof aPod>> = {}) {
  const { namespace = 'town' } = more
  const annotations: Labels = annotation === undefined ? {} : { 'scheduler.alpha.acme.test/node-selector': annotation }
  const services = { ...fakeCollections({ namespaces: [{ metadata: { name: namespace, annotations } }] }), settings }
  const { object, refusal } = await admit(control, { object: aPod({ nodeSelector }), ...more }, services)
  return refusal?.code ?? object.spec.nodeSelector
}

const cases: Record<string, [own: Labels, annotation: string | undefined, outcome: Labels | number]> = {
  'adds the default of the cluster': [{}, undefined, { pool: 'general' }],
  'adds it to the selector of the Pod': [{ a: 'b' }, undefined, { a: 'b', pool: 'general' }],
  'refuses a Pod that contradicts the default': [{ pool: 'other' }, undefined, 403],
  'prefers the selector of the namespace': [{ x: 'y' }, 'env=prod, zone=a', { env: 'prod', zone: 'a', x: 'y' }],
  'refuses a Pod that contradicts the namespace': [{ env: 'test' }, 'env=prod', 403],
  'admits a Pod with the same labels': [{ env: 'prod' }, 'env=prod', { env: 'prod' }],
  'admits all nodes with an empty annotation': [{ x: 'y' }, '', { x: 'y' }],
  'fails on an invalid annotation': [{}, 'env in (prod)', 500],
}
const selector = suite('pod node selector')
for (const [title, [own, annotation, outcome]] of Object.entries(cases))
  selector(`${title}, on a dry run too`, async () => {
    assert.equal(await created(own, annotation), outcome)
    assert.equal(await created(own, annotation, { dryRun: true }), outcome)
  })
selector('restricts a configured namespace to its labels', async () => {
  const fenced = { namespace: 'fenced' }
  assert.equal(await created({ a: 'b' }, 'pool=special', fenced), { a: 'b', pool: 'special' })
  assert.is(await created({ x: 'y' }, 'pool=special', fenced), 403)
  assert.is(await created({}, undefined, fenced), 403)
})
selector('reports no name for a Pod whose name is not generated yet', async () => {
  const services = { ...fakeCollections({ namespaces: [{ metadata: { name: 'town' } }] }), settings }
  const object = aPod({ nodeSelector: { pool: 'other' } }, { name: '', generateName: 'x-' })
  assert.equal((await admit(control, { object }, services)).refusal?.details, { kind: 'pods' })
})
selector('ignores updates', async () => {
  const oldObject = aPod()
  assert.equal(await created({ pool: 'other' }, undefined, { operation: 'update', oldObject }), { pool: 'other' })
})
selector('does nothing without a configuration', () => {
  const { defaultSelector, allowed } = readSettings(configured(undefined))
  assert.equal([defaultSelector, allowed.size], [{}, 0])
})
selector('does not start with an invalid selector', () => {
  assert.throws(() => readSettings(configured({ podNodeSelectorPluginConfig: { town: 'a' } })), /at town/)
  assert.throws(() => readSettings(configured({ other: {} })), /PodNodeSelector/)
})

selector.run()
