import type { AdmissionRequest, ApiObject, Authorizer, OwnerReference, ResourceCatalogue, ResourceInfo } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ownerReferencesPermissionEnforcement as control } from './owner-references-permission-enforcement.js'

const enforcement = suite('owner references permission enforcement')

const reference = (more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'acme.test/v1',
  kind: 'Widget',
  name: 'owner',
  uid: 'u1',
  ...more,
})
const blocking = reference({ blockOwnerDeletion: true })
const widget = (...ownerReferences: OwnerReference[]): ApiObject => ({ metadata: { name: 'x', ownerReferences } })
const types = [
  { group: 'acme.test', kind: 'Widget', resource: 'widgets', namespaced: true, servedVersions: ['v1', 'v2'] },
  { group: 'acme.test', kind: 'Planet', resource: 'planets', namespaced: false, servedVersions: ['v1'] },
] as unknown as ResourceInfo[]

/** An authorizer that allows these, as `verb resource/subresource namespace/name`, and records every check. */
function services(...allowed: string[]) {
  const asked: string[] = []
  const authorizer = {
    allows: async (_: unknown, verb: string, target: Record<string, string>) => {
      const { resource, subresource, namespace, name } = target
      const question = `${verb} ${resource}${subresource ? `/${subresource}` : ''} ${namespace}/${name}`
      asked.push(question)
      return allowed.includes(question)
    },
  } as unknown as Authorizer
  return { asked, services: { authorizer, resources: { all: () => types } as unknown as ResourceCatalogue } }
}
const aRequest = (object: ApiObject, oldObject: ApiObject | undefined, more: Partial<AdmissionRequest> = {}) =>
  ({
    operation: oldObject ? 'update' : 'create',
    user: { name: 'eve', groups: [] },
    group: 'acme.test',
    version: 'v1',
    resource: 'widgets',
    subresource: '',
    namespace: 'town',
    name: 'x',
    object,
    oldObject,
    dryRun: false,
    ...more,
  }) as AdmissionRequest

interface Case {
  request: AdmissionRequest
  may?: string[]
  isRefused: boolean
  asks?: string[]
}
const mayDelete = 'delete widgets town/x'
const mayBlock = 'update widgets/finalizers town/owner'
const mayBlockAnything = 'update */finalizers /*'
const cases: Record<string, Case> = {
  'allows any owner for a new object': {
    request: aRequest(widget(reference()), undefined),
    isRefused: false,
    asks: [],
  },
  'allows changes of everything but owners': {
    request: aRequest(widget(blocking), widget(blocking)),
    isRefused: false,
    asks: [],
  },
  'denies a new owner to a user who may not delete the object': {
    request: aRequest(widget(reference()), widget()),
    isRefused: true,
    asks: [mayDelete],
  },
  'refuses the removal of an owner too': { request: aRequest(widget(), widget(reference())), isRefused: true },
  'refuses on a dry run as well': {
    request: aRequest(widget(), widget(reference()), { dryRun: true }),
    isRefused: true,
  },
  'allows a user who may delete the object to change its owners': {
    request: aRequest(widget(reference()), widget()),
    may: [mayDelete],
    isRefused: false,
  },
  'refuses a new object that blocks an owner whose finalizers the user may not update': {
    request: aRequest(widget(blocking), undefined),
    isRefused: true,
    asks: [mayBlockAnything, mayBlock],
  },
  'allows a user who may update those finalizers to block the owner': {
    request: aRequest(widget(blocking), undefined),
    may: [mayBlock],
    isRefused: false,
  },
  'needs both permissions to turn a reference into one that blocks': {
    request: aRequest(widget(blocking), widget(reference())),
    may: [mayDelete],
    isRefused: true,
    asks: [mayDelete, mayBlockAnything, mayBlock],
  },
  'does not check owners that were blocked before': {
    request: aRequest(widget(blocking, reference({ uid: 'u2' })), widget(blocking)),
    may: [mayDelete],
    isRefused: false,
    asks: [mayDelete],
  },
  'checks a cluster-wide owner without a namespace': {
    request: aRequest(widget(reference({ kind: 'Planet', blockOwnerDeletion: true })), undefined),
    may: ['update planets/finalizers /owner'],
    isRefused: false,
  },
  'denies blocking an owner of an unknown kind': {
    request: aRequest(widget(reference({ kind: 'Gadget', blockOwnerDeletion: true })), undefined),
    may: [mayBlock],
    isRefused: true,
  },
  'allows a user who may update the finalizers of anything to block an owner of an unknown kind': {
    request: aRequest(widget(reference({ kind: 'Gadget', blockOwnerDeletion: true })), undefined),
    may: [mayBlockAnything],
    isRefused: false,
    asks: [mayBlockAnything],
  },
  'checks a subresource by its own name': {
    request: aRequest(widget(reference()), widget(), { subresource: 'status' }),
    may: ['delete widgets/status town/x'],
    isRefused: false,
  },
  'ignores the status of Pods, which node agents write': {
    request: aRequest(widget(reference()), widget(), { group: '', resource: 'pods', subresource: 'status' }),
    isRefused: false,
    asks: [],
  },
}
for (const [title, { request, may = [], isRefused, asks }] of Object.entries(cases))
  enforcement(title, async () => {
    const { asked, services: given } = services(...may)
    assert.is((await control.review(request, given, 'validate')) !== undefined, isRefused)
    if (asks) assert.equal(asked, asks)
  })

enforcement.run()
