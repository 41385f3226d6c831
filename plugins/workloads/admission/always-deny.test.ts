import type { Operation } from 'orch/sdk'
import { admit } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { alwaysDeny } from './always-deny.js'

const object = { metadata: { name: 'x' } }
const operations: readonly Operation[] = ['create', 'update', 'delete', 'connect']

const always = suite('always deny')

for (const operation of operations)
  always(`rejects every ${operation}, on a dry run too`, async () => {
    for (const dryRun of [false, true]) {
      const request = { operation, resource: 'anything', subresource: 'any', object, oldObject: object, dryRun }
      assert.is((await admit(alwaysDeny, request, {})).refusal?.code, 403)
    }
  })
always('does not prevent the server from starting', async () => {
  const user = { name: 'system:apiserver', groups: ['system:masters'] }
  assert.is((await admit(alwaysDeny, { object, user }, {})).refusal, undefined)
})
always('is off by default', () => {
  assert.is(alwaysDeny.enabledByDefault, false)
})

always.run()
