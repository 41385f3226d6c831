import { alreadyExists, invalid } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import type { Namespace } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { aRequest, knownNamespaces } from '../testing/known-namespaces.js'
import { namespaceAutoProvision } from './namespace-auto-provision.js'

const provision = suite('namespace auto provision')

/** Services of a server with the namespace `town`, and the names of the namespaces created with them. */
function server(create: (name: string) => void = () => {}) {
  const created: string[] = []
  const collection = {
    create: async ({ metadata }: Namespace) => {
      create(metadata?.name ?? '')
      created.push(metadata?.name ?? '')
    },
  }
  const client = { resource: () => collection } as unknown as Client
  return { created, services: { ...knownNamespaces({ town: {} }), client } }
}

provision('creates the namespace of a new object when it is missing', async () => {
  const { created, services } = server()
  await namespaceAutoProvision.review(aRequest({ namespace: 'new' }), services, 'mutate')
  assert.equal(created, ['new'])
})

provision('does not create an existing one', async () => {
  const { created, services } = server()
  await namespaceAutoProvision.review(aRequest({ namespace: 'town' }), services, 'mutate')
  assert.equal(created, [])
})

provision('does not create one on a dry run', async () => {
  const { created, services } = server()
  await namespaceAutoProvision.review(aRequest({ namespace: 'new', dryRun: true }), services, 'mutate')
  assert.equal(created, [])
})

provision('succeeds when another request created it first', async () => {
  const { services } = server(name => {
    throw alreadyExists({ group: '', resource: 'namespaces', name })
  })
  assert.is(await namespaceAutoProvision.review(aRequest({ namespace: 'new' }), services, 'mutate'), undefined)
})

provision('rejects the object when its namespace cannot be created', async () => {
  const { services } = server(name => {
    throw invalid({ group: '', kind: 'Namespace' }, name, [])
  })
  const verdict = await namespaceAutoProvision.review(aRequest({ namespace: 'Bad_' }), services, 'mutate')
  assert.ok(verdict && 'rejected' in verdict)
})

provision.run()
