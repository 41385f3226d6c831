import type { AdmissionRequest } from 'orch/sdk'
import type { Pod, PodSpec } from 'orch/sdk/core'
import { admit, fakeCollections } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { RuntimeClass } from '../runtime-classes/schema.js'
import { acmeNames, aPod } from '../testing/acme.js'
import { runtimeClass } from './runtime-class.js'

const control = runtimeClass(acmeNames)
const collection = 'runtimeclasses.node.api.acme.test'
const heavy: RuntimeClass = {
  metadata: { name: 'heavy' },
  handler: 'vm',
  overhead: { podFixed: { cpu: '250m', memory: '10Mi' } },
}
const picky: RuntimeClass = {
  metadata: { name: 'picky' },
  handler: 'vm',
  scheduling: { nodeSelector: { vm: 'yes' }, tolerations: [{ key: 'vm', operator: 'Exists' }] },
}
const services = fakeCollections({ [collection]: [heavy, picky] })
const created = (spec: Partial<PodSpec>) => admit(control, { object: aPod(spec) }, services)

const classes = suite('runtime class')

classes('does not change a Pod without a class', async () => {
  const { object, refusal } = await created({})
  assert.is(refusal, undefined)
  assert.equal(object, aPod())
})
classes('fills in the overhead of the class', async () => {
  assert.equal((await created({ runtimeClassName: 'heavy' })).object.spec.overhead, { cpu: '250m', memory: '10Mi' })
})
classes('adds selector and tolerations of the class to those of the Pod', async () => {
  const own = { nodeSelector: { disk: 'ssd' }, tolerations: [{ key: 'gpu', operator: 'Exists' }] }
  const { spec } = (await created({ runtimeClassName: 'picky', ...own })).object
  assert.equal(spec.nodeSelector, { disk: 'ssd', vm: 'yes' })
  assert.equal(spec.tolerations, [...own.tolerations, { key: 'vm', operator: 'Exists' }])
})
classes('omits tolerations of the Pod that others cover', async () => {
  const scheduled = { metadata: { name: 'fast' }, handler: 'vm', scheduling: { nodeSelector: { vm: 'yes' } } }
  const wide = { key: 'gpu', operator: 'Exists' }
  const object = aPod({ runtimeClassName: 'fast', tolerations: [{ ...wide, effect: 'NoSchedule' }, wide] })
  const { spec } = (await admit(control, { object }, fakeCollections({ [collection]: [scheduled] }))).object
  assert.equal(spec.tolerations, [wide])
})
classes('refuses an overhead that is the same as that of the class, as the specification says', async () => {
  const overhead = { cpu: '250m', memory: '10Mi' }
  const { refusal } = await created({ runtimeClassName: 'heavy', overhead })
  assert.is(refusal?.code, 403)
  assert.match(refusal?.message ?? '', 'must not be specified')
})
classes('accepts its own overhead when controls run a second time', async () => {
  const object = aPod({ runtimeClassName: 'heavy', overhead: { cpu: '250m', memory: '10Mi' } })
  assert.is((await admit(control, { object, reinvoked: true }, services)).refusal, undefined)
})
classes('accepts the same overhead in another notation in the profile of the reference', async () => {
  const lenient = runtimeClass({ ...acmeNames, acceptsStatedOverhead: true })
  const object = aPod({ runtimeClassName: 'heavy', overhead: { memory: '10240Ki', cpu: '0.25' } })
  assert.is((await admit(lenient, { object }, services)).refusal, undefined)
})
for (const [title, spec] of Object.entries<Partial<PodSpec>>({
  'another overhead than that of the class': { runtimeClassName: 'heavy', overhead: { cpu: '1' } },
  'an overhead if the class has none': { runtimeClassName: 'picky', overhead: { cpu: '1' } },
  'an overhead without a class': { overhead: { cpu: '1' } },
  'a selector that contradicts the class': { runtimeClassName: 'picky', nodeSelector: { vm: 'no' } },
  'a class that does not exist': { runtimeClassName: 'missing' },
}))
  classes(`refuses ${title}, on a dry run too`, async () => {
    assert.is((await created(spec)).refusal?.code, 403)
    assert.is((await admit(control, { object: aPod(spec), dryRun: true }, services)).refusal?.code, 403)
  })
classes('rejects a Pod whose overhead was removed by another control', async () => {
  const request = { object: aPod({ runtimeClassName: 'heavy' }) } as AdmissionRequest<Pod>
  const given = services as unknown as Parameters<typeof control.review>[1]
  assert.ok(await control.review(request, given, 'validate'))
})
classes('reads a class from the store if it is not cached yet', async () => {
  const fresh = fakeCollections({}, { [collection]: [heavy] })
  assert.is((await admit(control, { object: aPod({ runtimeClassName: 'heavy' }) }, fresh)).refusal, undefined)
})
classes('changes nothing the second time', async () => {
  const { object } = await created({ runtimeClassName: 'picky' })
  assert.equal((await admit(control, { object }, services)).object, object)
})
classes('ignores updates, even if the class was deleted', async () => {
  const object = aPod({ runtimeClassName: 'missing' })
  assert.is((await admit(control, { operation: 'update', object, oldObject: object }, services)).refusal, undefined)
})

classes.run()
