import { ApiError } from 'orch/sdk'
import { admit } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { aRequest, knownNamespaces } from '../testing/known-namespaces.js'
import { namespaceExists } from './namespace-exists.js'

const exists = suite('namespace exists')
const services = knownNamespaces({ town: {} })

exists('lets requests in an existing namespace pass', async () => {
  assert.is(await namespaceExists.review(aRequest({ namespace: 'town' }), services, 'validate'), undefined)
})

exists('refuses a deletion in a missing one', async () => {
  try {
    await namespaceExists.review(aRequest({ operation: 'delete', namespace: 'nowhere' }), services, 'validate')
    assert.unreachable()
  } catch (error) {
    assert.instance(error, ApiError)
    assert.equal((error as ApiError).details, { name: 'nowhere', kind: 'namespaces' })
  }
})

exists('lets a namespace itself be created', async () => {
  const request = aRequest({ resource: 'namespaces', namespace: 'new', name: 'new' })
  assert.is(await namespaceExists.review(request, services, 'validate'), undefined)
})

for (const operation of ['create', 'update', 'delete'] as const)
  exists(`checks a request to ${operation}, also on a dry run`, async () => {
    for (const dryRun of [false, true]) {
      const sent = (namespace: string) =>
        admit(namespaceExists, { ...aRequest({ operation, namespace }), dryRun }, services)
      assert.is((await sent('nowhere')).refusal?.code, 404)
      assert.is((await sent('town')).refusal, undefined)
    }
  })

exists.run()
