import type { Container, Pod } from 'orch/sdk/core'
import { admit } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { alwaysPullImages } from './always-pull-images.js'

const container = (name: string, image: string, imagePullPolicy: string): Container => ({
  name,
  image,
  imagePullPolicy,
})
const aPod = (...containers: Container[]): Pod => ({ metadata: { name: 'p' }, spec: { containers } })
const policies = ({ spec }: Pod) =>
  [...(spec.initContainers ?? []), ...spec.containers].map(({ imagePullPolicy }) => imagePullPolicy)

const pull = suite('always pull images')

pull('sets the policy of every container of a new Pod, on a dry run too', async () => {
  const object = aPod(container('c', 'a', 'IfNotPresent'))
  object.spec.initContainers = [container('i', 'b', 'Never')]
  for (const dryRun of [false, true]) {
    const admitted = await admit(alwaysPullImages, { object, dryRun }, {})
    assert.equal([admitted.refusal, policies(admitted.object)], [undefined, ['Always', 'Always']])
  }
})
pull('does not change an update without a new image', async () => {
  const oldObject = aPod(container('c', 'a', 'IfNotPresent'), container('d', 'b', 'IfNotPresent'))
  const object = aPod(container('c', 'b', 'IfNotPresent'), container('d', 'b', 'IfNotPresent'))
  const admitted = await admit(alwaysPullImages, { operation: 'update', object, oldObject }, {})
  assert.equal([admitted.refusal, policies(admitted.object)], [undefined, ['IfNotPresent', 'IfNotPresent']])
})
pull('sets the policy in an update with a new image', async () => {
  const oldObject = aPod(container('c', 'a', 'IfNotPresent'))
  const object = aPod(container('c', 'new', 'IfNotPresent'))
  const admitted = await admit(alwaysPullImages, { operation: 'update', object, oldObject }, {})
  assert.equal(policies(admitted.object), ['Always'])
})
pull('rejects a policy that a later control changed back', async () => {
  const object = aPod(container('c', 'a', 'Never'))
  const validating = { ...alwaysPullImages, phase: 'validate' } as const
  assert.is((await admit(validating, { object }, {})).refusal?.code, 403)
})

pull('sets and checks the policy of image volumes', async () => {
  const object = aPod(container('c', 'a', 'Always'))
  object.spec.volumes = [
    { name: 'v', image: { reference: 'r', pullPolicy: 'Never' } },
    { name: 'w', emptyDir: {} },
  ]
  const validating = { ...alwaysPullImages, phase: 'validate' } as const
  assert.is((await admit(validating, { object }, {})).refusal?.code, 403)
  const admitted = await admit(alwaysPullImages, { object }, {})
  assert.is(admitted.object.spec.volumes?.[0]?.image?.pullPolicy, 'Always')
  assert.equal([admitted.refusal, admitted.object.spec.volumes?.[1]], [undefined, { name: 'w', emptyDir: {} }])
})

pull.run()
