import { ApiError, type ApiObject, type Operation, orchProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { namespaceNames } from '../names.js'
import { aRequest, knownNamespaces } from '../testing/known-namespaces.js'
import { namespaceLifecycle } from './namespace-lifecycle.js'

const lifecycle = suite('namespace lifecycle')
const vendor = new Vendor({ ...orchProfile, groupDomain: 'acme.test' })
const control = namespaceLifecycle(namespaceNames(vendor))
const services = knownNamespaces({
  town: { status: { phase: 'Active' } },
  ruin: { status: { phase: 'Terminating' } },
})

/** The reason of the refusal, or undefined. */
async function refusal(changes: Parameters<typeof aRequest>[0]): Promise<string | undefined> {
  try {
    const verdict = await control.review(aRequest(changes), services, 'mutate')
    return verdict ? 'Forbidden' : undefined
  } catch (error) {
    assert.instance(error, ApiError)
    return (error as ApiError).reason
  }
}

const inNamespaces: Record<string, [operation: Operation, namespace: string, reason: string | undefined]> = {
  'admits a new object in an active namespace': ['create', 'town', undefined],
  'rejects new objects in a terminating one': ['create', 'ruin', 'Forbidden'],
  'admits updates in a terminating one, so that finalizers can be removed': ['update', 'ruin', undefined],
  'rejects updates in a missing one': ['update', 'nowhere', 'NotFound'],
  'admits all deletions of objects': ['delete', 'nowhere', undefined],
  'admits cluster-scoped objects': ['create', '', undefined],
}
for (const [title, [operation, namespace, reason]] of Object.entries(inNamespaces))
  lifecycle(title, async () => {
    assert.is(await refusal({ operation, namespace }), reason)
  })

lifecycle('reports the prefix of a generated name', async () => {
  const object = { metadata: { generateName: 'x-' } } as ApiObject
  const request = aRequest({ operation: 'create', namespace: 'ruin', name: '', object })
  try {
    await control.review(request, services, 'mutate')
    assert.unreachable()
  } catch (error) {
    assert.is((error as ApiError).details?.name, 'x-')
  }
})

lifecycle('rejects the deletion of the default, system and public namespaces', async () => {
  const doomed = (name: string) => refusal({ operation: 'delete', resource: 'namespaces', namespace: name, name })
  assert.equal(await Promise.all(['default', 'orch-system', 'orch-public', 'orch-node-lease', 'town'].map(doomed)), [
    'Forbidden',
    'Forbidden',
    'Forbidden',
    undefined,
    undefined,
  ])
})

lifecycle('does not reveal through an access review whether a namespace exists', async () => {
  const review = { group: 'authorization.acme.test', resource: 'localsubjectaccessreviews', namespace: 'nowhere' }
  assert.is(await refusal(review), undefined)
})

lifecycle('finds a namespace in the store that another process has just created', async () => {
  const fresh = knownNamespaces({}, { town: { status: { phase: 'Active' } } })
  assert.is(await control.review(aRequest(), fresh, 'mutate'), undefined)
})

lifecycle('reports the cause when the namespace is terminating', async () => {
  try {
    await control.review(aRequest({ namespace: 'ruin' }), services, 'mutate')
    assert.unreachable()
  } catch (error) {
    assert.is((error as ApiError).details?.causes?.[0]?.reason, 'NamespaceTerminating')
  }
})

lifecycle('decides the same on a dry run', async () => {
  for (const [operation, namespace, reason] of Object.values(inNamespaces))
    assert.is(await refusal({ operation, namespace, dryRun: true }), reason)
})

lifecycle.run()
