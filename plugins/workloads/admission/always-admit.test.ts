import type { Operation } from 'orch/sdk'
import { admit } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { alwaysAdmit } from './always-admit.js'

const object = { metadata: { name: 'x' } }
const operations: readonly Operation[] = ['create', 'update', 'delete', 'connect']

const always = suite('always admit')

for (const operation of operations)
  always(`admits every ${operation} unchanged, on a dry run too`, async () => {
    for (const dryRun of [false, true]) {
      const request = { operation, resource: 'anything', subresource: 'any', object, oldObject: object, dryRun }
      const admitted = await admit(alwaysAdmit, request, {})
      assert.equal([admitted.refusal, admitted.object], [undefined, object])
    }
  })
always('is off by default', () => {
  assert.is(alwaysAdmit.enabledByDefault, false)
})

always.run()
