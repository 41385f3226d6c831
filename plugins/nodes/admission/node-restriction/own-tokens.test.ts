import type { ApiObject, Authorizer, VersionName } from 'orch/sdk'
import type { PodSpec } from 'orch/sdk/core'
import { admit, fakeCollections } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { aPod, namesAt } from '../../testing/acme.js'
import { nodeRestriction } from '../node-restriction.js'

const user = { name: 'system:node:n1', groups: ['system:nodes'] }
const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u' }
const driver = (name: string, audience?: string) => ({ metadata: { name }, spec: { tokenRequests: [{ audience }] } })
const claim = (name: string, volumeName: string) => ({ metadata: { name, namespace: 'town' }, spec: { volumeName } })
const stored = {
  'csidrivers.storage.api.acme.test': [driver('vault.test', 'vault'), driver('disk.csi.azure.com', 'azure')],
  persistentvolumeclaims: [claim('c', 'driven'), claim('p-v', 'driven'), claim('old', 'replaced')],
  persistentvolumes: [
    { metadata: { name: 'driven' }, spec: { csi: { driver: 'vault.test', volumeHandle: 'h' } } },
    { metadata: { name: 'replaced' }, spec: { azureDisk: { diskName: 'd', diskURI: 'u' } } },
  ],
}

interface Asked {
  readonly audiences?: readonly string[]
  readonly volumes?: PodSpec['volumes']
  readonly version?: VersionName
  /** The audience that the node may request tokens for. */
  readonly permitted?: string
}
/** The message of the refusal for the agent of node n1. */
async function refusal({ audiences, volumes = [], version = '1.33', permitted }: Asked): Promise<string | undefined> {
  const asked: unknown[] = []
  const authorizer = {
    allows: async (_: unknown, verb: string, target: { resource?: string; name?: string; namespace?: string }) => {
      asked.push(verb, target.namespace, target.name)
      return target.resource === permitted
    },
  } as unknown as Authorizer
  const pod = aPod({ nodeName: 'n1', volumes }, { name: 'p', uid: 'u' })
  const object = { metadata: {}, spec: { audiences, boundObjectRef } } as ApiObject
  const request = {
    resource: 'serviceaccounts',
    subresource: 'token',
    name: 'account',
    namespace: 'town',
    object,
    user,
  }
  const services = { ...fakeCollections({ pods: [pod], ...stored }), authorizer }
  const { refusal } = await admit(nodeRestriction(namesAt(version)), request, services)
  if (asked.length > 0) assert.equal(asked, ['request-serviceaccounts-token-audience', 'town', 'account'])
  return refusal?.message
}
const token = (audience?: string): PodSpec['volumes'] => [
  {
    name: 'v',
    projected: { sources: [{ serviceAccountToken: { path: 'token', ...(audience ? { audience } : {}) } }] },
  },
]

const tokens = suite('tokens that a node requests')

const allowed: Record<string, Asked> = {
  'any audience before 1.33': { audiences: ['a', 'b'], version: '1.32' },
  'the audience of a projected token': { audiences: ['vault'], volumes: token('vault') },
  'the usual audience, if a projected token has it': { volumes: token() },
  'an audience of a storage driver': {
    audiences: ['vault'],
    volumes: [{ name: 'v', csi: { driver: 'vault.test' } }],
  },
  'an audience of the storage driver of a claim': {
    audiences: ['vault'],
    volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }],
  },
  'an audience of the storage driver of an ephemeral claim': {
    audiences: ['vault'],
    volumes: [{ name: 'v', ephemeral: {} }],
  },
  'an audience of the driver that replaced a kind of volumes': {
    audiences: ['azure'],
    volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'old' } }],
  },
  'an audience of another volume than one that cannot be found': {
    audiences: ['vault'],
    volumes: [{ name: 'w', csi: { driver: 'none' } }, ...(token('vault') ?? [])],
  },
  'an audience that the node is permitted to request': { audiences: ['vault'], permitted: 'vault' },
}
for (const [title, asked] of Object.entries(allowed))
  tokens(`may be for ${title}`, async () => {
    assert.is(await refusal(asked), undefined)
  })

const refused: Record<string, [asked: Asked, says: string]> = {
  'several audiences': [{ audiences: ['a', 'b'], permitted: 'a' }, '0 or 1 audiences'],
  'an audience that the Pod does not need': [{ audiences: ['vault'], volumes: token('other') }, 'not authorized'],
  'the usual audience, if the Pod does not need it': [{ volumes: token('vault') }, 'audience "" not found'],
  'an audience of a driver that cannot be found': [
    { audiences: ['vault'], volumes: [{ name: 'v', csi: { driver: 'none' } }], permitted: 'vault' },
    'csidrivers "none" not found',
  ],
}
for (const [title, [asked, says]] of Object.entries(refused))
  tokens(`may not be for ${title}`, async () => {
    assert.match(String(await refusal(asked)), says)
  })

tokens.run()
