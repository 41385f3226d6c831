import {
  type ApiObject,
  type Authorizer,
  kubernetesProfile,
  profileAtVersion,
  type ResourceCatalogue,
  type ResourceInfo,
  Vendor,
} from 'orch/sdk'
import { fakeCollections } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { policyNames } from '../names.js'
import { bindingWrite } from './review-write.js'
import type { BindingSpec, ParamKind } from './schema.js'

const namesAt = (version: string) =>
  policyNames(new Vendor(profileAtVersion(kubernetesProfile, version) ?? kubernetesProfile))
const configMaps = { resource: 'configmaps', servedVersions: ['v1'] } as unknown as ResourceInfo
const resources = {
  findKind: (group: string, kind: string) => (group === '' && kind === 'ConfigMap' ? configMaps : undefined),
} as unknown as ResourceCatalogue

interface Write {
  readonly version?: string
  readonly paramKind?: ParamKind
  readonly paramRef: object
  readonly stored?: boolean
  readonly groups?: string[]
  readonly policyName?: string
}
/** The permissions that the write of a binding asks for, and the errors when there are none. */
async function review({ version = '1.36', paramKind, paramRef, stored, groups = [], policyName = 'p' }: Write) {
  const asked: unknown[] = []
  const authorizer = {
    allows: async (_: unknown, verb: string, what: object) => {
      asked.push({ verb, ...what })
      return false
    },
  } as unknown as Authorizer
  const spec = { policyName, validationActions: ['Deny'], paramRef } as BindingSpec
  const object = { metadata: { name: 'b' }, spec } as ApiObject & { spec: BindingSpec }
  const policy = { metadata: { name: 'p' }, spec: paramKind ? { paramKind } : {} }
  const { reader } = fakeCollections({ 'validatingadmissionpolicies.admissionregistration.k8s.io': [policy] })
  const errors = await bindingWrite('validating', namesAt(version)).review(
    {
      user: { name: 'u', groups },
      verb: 'create',
      operation: stored ? 'update' : 'create',
      namespace: '',
      pathName: '',
      object,
      stored: stored ? structuredClone(object) : undefined,
    },
    { reader, authorizer, resources },
  )
  return { asked, errors: (errors ?? []).map(({ field, type }) => `${field}: ${type}`) }
}

const writing = suite('the permission to write a binding')
const byName = { name: 'a', namespace: 'ns', parameterNotFoundAction: 'Deny' }
const bySelector = { selector: {}, parameterNotFoundAction: 'Deny' }
const maps = { group: '', version: 'v1', resource: 'configmaps' }
const asked: Record<string, [write: Write, asked: object]> = {
  'is to get a parameter that has a name': [
    { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, paramRef: byName },
    { verb: 'get', ...maps, name: 'a', namespace: 'ns' },
  ],
  'is to list parameters that are selected': [
    { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, paramRef: bySelector },
    { verb: 'list', ...maps, name: '', namespace: '' },
  ],
  'covers all resources of a version that is not served': [
    { paramKind: { apiVersion: 'v9', kind: 'ConfigMap' }, paramRef: byName },
    { verb: 'get', group: '', version: 'v9', resource: '*', name: 'a', namespace: 'ns' },
  ],
  'covers everything while there is no policy': [
    { paramRef: byName, policyName: 'other' },
    { verb: 'get', group: '*', version: '*', resource: '*', name: 'a', namespace: 'ns' },
  ],
  'is needed again for every update since 1.28': [
    { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' }, paramRef: byName, stored: true },
    { verb: 'get', ...maps, name: 'a', namespace: 'ns' },
  ],
}
for (const [title, [write, question]] of Object.entries(asked))
  writing(title, async () => {
    assert.equal(await review(write), { asked: [question], errors: ['spec.paramRef: FieldValueForbidden'] })
  })
writing('is not asked for before 1.28 if the reference stays', async () => {
  assert.equal(await review({ version: '1.27', paramRef: byName, stored: true }), { asked: [], errors: [] })
})
writing('is not asked for if the binding is invalid, or the user may do everything', async () => {
  const invalid = await review({ paramRef: { name: 'a', parameterNotFoundAction: 'Maybe' } })
  assert.equal(invalid, { asked: [], errors: ['spec.paramRef.parameterNotFoundAction: FieldValueNotSupported'] })
  assert.equal(await review({ paramRef: byName, groups: ['system:masters'] }), { asked: [], errors: [] })
})
writing.run()
