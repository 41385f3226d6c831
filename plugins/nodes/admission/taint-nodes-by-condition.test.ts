import type { Taint } from 'orch/sdk/core'
import { admit } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Node } from '../nodes/schema.js'
import { acmeNames } from '../testing/acme.js'
import { taintNodesByCondition } from './taint-nodes-by-condition.js'

const control = taintNodesByCondition(acmeNames)
const notReady = { key: 'node.acme.test/not-ready', effect: 'NoSchedule' }
const aNode = (...taints: Taint[]): Node => ({
  metadata: { name: 'n1' },
  ...(taints.length ? { spec: { taints } } : {}),
})
const written = async (object: Node, operation: 'create' | 'update' = 'create', dryRun = false) =>
  (await admit(control, { resource: 'nodes', operation, object, oldObject: object, dryRun }, {})).object.spec?.taints

const taint = suite('taint nodes by condition')

taint('taints a new node as not ready, on a dry run too', async () => {
  assert.equal(await written(aNode()), [notReady])
  assert.equal(await written(aNode(), 'create', true), [notReady])
})
taint('keeps other taints, also one of the same key and another effect', async () => {
  const evicting = { ...notReady, effect: 'NoExecute' }
  assert.equal(await written(aNode(evicting)), [evicting, notReady])
})
taint('adds it only once', async () => {
  assert.equal(await written(aNode(notReady)), [notReady])
})
taint('does not change an existing node', async () => {
  assert.is(await written(aNode(), 'update'), undefined)
})

taint.run()
