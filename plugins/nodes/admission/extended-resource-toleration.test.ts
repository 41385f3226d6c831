import type { Container, PodSpec } from 'orch/sdk/core'
import { admit } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acmeNames, aPod } from '../testing/acme.js'
import { extendedResourceToleration } from './extended-resource-toleration.js'

const control = extendedResourceToleration(acmeNames)
const asking = (requests: Record<string, string>): Container => ({ name: 'c', image: 'i', resources: { requests } })
const toleration = (key: string) => ({ key, operator: 'Exists', effect: 'NoSchedule' })
const after = async (spec: Partial<PodSpec>) =>
  (await admit(control, { object: aPod(spec) }, {})).object.spec.tolerations

const extended = suite('extended resource toleration')

extended('adds a toleration for every device that some container asks for, in order', async () => {
  const tolerations = await after({
    containers: [asking({ 'b.test/gpu': '1', cpu: '1' })],
    initContainers: [asking({ 'a.test/disk': '1', 'b.test/gpu': '1' })],
  })
  assert.equal(tolerations, [toleration('a.test/disk'), toleration('b.test/gpu')])
})
extended('adds nothing for resources that every node has', async () => {
  assert.is(await after({ containers: [asking({ cpu: '1', memory: '1', 'acme.test/x': '1' })] }), undefined)
})
extended('adds it once, after those the Pod has', async () => {
  const other = { key: 'b.test/gpu', operator: 'Equal', value: 'x', effect: 'NoSchedule' }
  const containers = [asking({ 'b.test/gpu': '1' })]
  assert.equal(await after({ containers, tolerations: [other] }), [other, toleration('b.test/gpu')])
  assert.equal(await after({ containers, tolerations: [toleration('b.test/gpu')] }), [toleration('b.test/gpu')])
})
extended('removes the time limit of an existing toleration', async () => {
  const containers = [asking({ 'b.test/gpu': '1' })]
  const tolerations = [{ ...toleration('b.test/gpu'), tolerationSeconds: 5 }]
  assert.equal(await after({ containers, tolerations }), [toleration('b.test/gpu')])
})
extended('does so on updates and dry runs as well', async () => {
  const object = aPod({ containers: [asking({ 'b.test/gpu': '1' })] })
  const update = { operation: 'update', object, oldObject: object, dryRun: true } as const
  assert.equal((await admit(control, update, {})).object.spec.tolerations, [toleration('b.test/gpu')])
})

extended('a Pod without containers gets no toleration', async () => {
  assert.is(await after({ containers: null as never }), undefined)
})

extended.run()
