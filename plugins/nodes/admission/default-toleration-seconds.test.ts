import type { Toleration } from 'orch/sdk/core'
import { admit } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { acmeNames, aPod } from '../testing/acme.js'
import { defaultTolerationSeconds } from './default-toleration-seconds.js'

const control = defaultTolerationSeconds(acmeNames, {
  defaultNotReadyTolerationSeconds: 300,
  defaultUnreachableTolerationSeconds: 60,
})
const notReady = { key: 'node.acme.test/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }
const unreachable = {
  key: 'node.acme.test/unreachable',
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 60,
}
const after = async (...tolerations: Toleration[]) =>
  (await admit(control, { object: aPod({ tolerations }) }, {})).object.spec.tolerations

const seconds = suite('default toleration seconds')

seconds('adds both tolerations after those the Pod has', async () => {
  const own = { key: 'gpu', operator: 'Exists' }
  assert.equal(await after(own), [own, notReady, unreachable])
})
for (const [title, own] of Object.entries<Toleration>({
  'the same taint, for another time': { ...notReady, tolerationSeconds: 5 },
  'every effect of the taint': { key: notReady.key, operator: 'Exists' },
}))
  seconds(`does not change a Pod that tolerates ${title}`, async () => {
    assert.equal(await after(own), [own, unreachable])
  })
seconds('adds nothing to a Pod that tolerates everything', async () => {
  assert.equal(await after({ operator: 'Exists' }), [{ operator: 'Exists' }])
})
seconds('ignores tolerations of other effects', async () => {
  const own = { ...notReady, effect: 'NoSchedule' }
  assert.equal(await after(own), [own, notReady, unreachable])
})
seconds('fills in updates and dry runs as well, but no subresource', async () => {
  const object = aPod()
  const update = { operation: 'update', object, oldObject: object, dryRun: true } as const
  assert.equal((await admit(control, update, {})).object.spec.tolerations, [notReady, unreachable])
  assert.is((await admit(control, { ...update, subresource: 'status' }, {})).object.spec.tolerations, undefined)
})
seconds('changes nothing the second time', async () => {
  assert.equal(await after(notReady, unreachable), [notReady, unreachable])
})

seconds.run()
