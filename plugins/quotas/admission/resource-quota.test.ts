import {
  type AdmissionRequest,
  type Clock,
  orchProfile,
  type Rejection,
  type ResourceCatalogue,
  type StoreReader,
  Vendor,
} from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Charge } from '../charging/charge.js'
import type { QuotaLedger } from '../charging/quota-ledger.js'
import { Evaluators } from '../counting/evaluators.js'
import { quotaNames } from '../names.js'
import { resourceQuota } from './resource-quota.js'

const names = quotaNames(new Vendor({ ...orchProfile, groupDomain: 'acme.test' }))
const control = resourceQuota(names, new Evaluators(names))

/** Sends a request through the control; returns what was charged, and the refusal. */
async function send(request: Partial<AdmissionRequest>, answer?: string, isNeeded = true) {
  const charged: { namespace: string; charge: Charge; isTrial: boolean }[] = []
  const services = {
    ledger: {
      isNeeded: async () => isNeeded,
      charge: async (namespace: string, charge: Charge, isTrial: boolean) => {
        charged.push({ namespace, charge, isTrial })
        return answer
      },
    } as unknown as QuotaLedger,
    resources: {
      find: (_: string, resource: string) => ({ virtual: resource === 'reviews' }),
    } as unknown as ResourceCatalogue,
    reader: {
      get: async (_: unknown, __: string, name: string) => (name === 'taken' ? {} : undefined),
    } as unknown as StoreReader,
    clock: { now: () => 7 } as Clock,
  }
  const complete = {
    operation: 'create',
    group: 'acme.test',
    resource: 'widgets',
    namespace: 'town',
    name: 'new',
    object: { metadata: { name: 'new' } },
    oldObject: undefined,
    dryRun: false,
    ...request,
  } as unknown as AdmissionRequest
  const verdict = (await control.review(complete, services, 'validate')) as Rejection | undefined
  return { charged, refusal: verdict?.message }
}

const aPod = { metadata: { name: 'p' }, spec: { containers: [] } }
const quota = suite('resource quota')

quota('charges objects that are created in a namespace', async () => {
  const { charged, refusal } = await send({})
  assert.equal([charged.length, charged[0]?.namespace, charged[0]?.isTrial, refusal], [1, 'town', false, undefined])
})
quota('rejects with the message of the ledger', async () => {
  assert.is((await send({}, 'exceeded quota: q')).refusal, 'exceeded quota: q')
})
quota('only checks on a dry run', async () => {
  assert.is((await send({ dryRun: true })).charged[0]?.isTrial, true)
})
quota('only checks if the name is taken, because the request will fail', async () => {
  assert.is((await send({ name: 'taken' })).charged[0]?.isTrial, true)
  assert.is((await send({ name: 'taken' }, 'exceeded quota: q')).refusal, 'exceeded quota: q')
  assert.is((await send({ name: '' })).charged[0]?.isTrial, false)
})
quota('does nothing where nothing is limited', async () => {
  assert.equal(await send({}, 'no', false), { charged: [], refusal: undefined })
})
quota('charges an update of a Service or a claim relative to the stored object', async () => {
  const oldObject = { metadata: { name: 'old' } }
  for (const resource of ['services', 'persistentvolumeclaims'])
    assert.is(
      (await send({ operation: 'update', group: '', resource, oldObject })).charged[0]?.charge.stored,
      oldObject,
    )
})

quota('charges the resize of a Pod relative to the stored Pod', async () => {
  const resize = { operation: 'update', group: '', resource: 'pods', subresource: 'resize' } as const
  const { charged } = await send({ ...resize, object: aPod, oldObject: aPod })
  assert.is(charged[0]?.charge.stored, aPod)
})

const uncharged: Record<string, Partial<AdmissionRequest>> = {
  'updates of types that are only counted': { operation: 'update' },
  'updates of Pods, whose containers never change': {
    operation: 'update',
    group: '',
    resource: 'pods',
    object: aPod,
    oldObject: aPod,
  },
  'objects outside namespaces': { namespace: '' },
  'types that are never stored': { resource: 'reviews' },
  Events: { group: '', resource: 'events' },
  'Events of the newer group': { group: 'events.acme.test', resource: 'events' },
}
for (const [title, request] of Object.entries(uncharged))
  quota(`does not charge ${title}`, async () => {
    assert.equal(await send(request, 'no'), { charged: [], refusal: undefined })
  })

quota('does not apply to deletions, nor to subresources other than the resize of a Pod', () => {
  assert.equal(control.matches, [
    { operations: ['create', 'update'] },
    { group: '', resource: 'pods', subresource: 'resize', operations: ['update'] },
  ])
})

quota.run()
