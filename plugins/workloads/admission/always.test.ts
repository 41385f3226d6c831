import type { Operation } from 'orch/sdk'
import { admit } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { alwaysAdmit } from './always-admit.js'
import { alwaysDeny } from './always-deny.js'

const object = { metadata: { name: 'x' } }
const requests = (['create', 'update', 'delete', 'connect'] as Operation[]).flatMap(operation =>
  [true, false].map(dryRun => ({
    operation,
    resource: 'anything',
    subresource: 'any',
    object,
    oldObject: object,
    dryRun,
  })),
)

const always = suite('always')

always('admit: lets every request pass unchanged', async () => {
  for (const request of requests) {
    const admitted = await admit(alwaysAdmit, request, {})
    assert.equal([admitted.refusal, admitted.object], [undefined, object])
  }
})
always('deny: lets none pass', async () => {
  for (const request of requests) assert.is((await admit(alwaysDeny, request, {})).refusal?.code, 403)
})
always('deny: does not keep the server from starting', async () => {
  const user = { name: 'system:apiserver', groups: ['system:masters'] }
  assert.is((await admit(alwaysDeny, { object, user }, {})).refusal, undefined)
})
always('are off unless somebody asks for them', () => {
  assert.equal([alwaysAdmit.enabledByDefault, alwaysDeny.enabledByDefault], [false, false])
})

always.run()
