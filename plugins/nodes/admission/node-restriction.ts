import { isDeepStrictEqual } from 'node:util'
import { type AdmissionMatch, type AdmissionRequest, type ApiObject, defineAdmission, reject, services } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import { nodeNameOf } from 'orch/sdk/identity'
import type { NodeNames } from '../names.js'
import type { Node } from '../nodes/schema.js'
import { checkSigningRequest, type SigningRequest } from './node-restriction/own-certificates.js'
import { checkNode } from './node-restriction/own-node.js'
import { checkPod } from './node-restriction/own-pods.js'
import { checkToken, type TokenRequest, type TokenServices } from './node-restriction/own-tokens.js'

/** A node may only report that the file system of a volume was resized. Returns the reason for a denial. */
function checkClaim(
  { operation, subresource, object, oldObject }: AdmissionRequest<ApiObject>,
  nodeName: string,
  names: NodeNames,
): string | undefined {
  if (subresource !== 'status' || operation !== 'update') return 'may only update PVC status'
  return isDeepStrictEqual(withoutResizeFields(object, names), withoutResizeFields(oldObject, names))
    ? undefined
    : `node "${nodeName}" is not allowed to update status fields other than those of a resize`
}

/** A node may only publish its own devices. Updates are checked by the authorizer, which has the stored slice. */
function checkSlice({ operation, object, oldObject }: AdmissionRequest<ApiObject>, nodeName: string) {
  const { spec } = (operation === 'create' ? object : oldObject) as { spec?: { nodeName?: string } }
  return spec?.nodeName === nodeName
    ? undefined
    : `can only ${operation} ResourceSlice with the same NodeName as the requesting node`
}

/** As JSON, so that missing and undefined fields compare equal. */
function withoutResizeFields(
  { metadata, status, apiVersion: _, kind: __, ...rest }: ApiObject,
  { reportsAllocations }: NodeNames,
): unknown {
  const { resourceVersion: ___, managedFields: ____, ...meta } = metadata
  const { capacity: _____, conditions: ______, ...others } = (status ?? {}) as Record<string, unknown>
  const { allocatedResources: _______, allocatedResourceStatuses: ________, ...fixed } = others
  return JSON.parse(JSON.stringify({ ...rest, metadata: meta, status: reportsAllocations ? fixed : others }))
}

/** Restricts the agent of a node to its own Node, Lease and CSINode, and to the Pods bound to it. */
export const nodeRestriction = (names: NodeNames) => {
  const { certificatesGroup, coordinationGroup, storageGroup, resourceGroup } = names
  const written = { subresource: '*', operations: ['create', 'update', 'delete'] } satisfies AdmissionMatch
  const core = ['pods', 'nodes', 'persistentvolumeclaims', 'serviceaccounts']
  return defineAdmission<ApiObject>()({
    name: 'NodeRestriction',
    phase: 'mutate', // before others change the object that the node sent
    sideEffects: 'none',
    enabledByDefault: false,
    matches: [
      { ...written, group: '', resource: core },
      { ...written, group: coordinationGroup, resource: 'leases' },
      { ...written, group: storageGroup, resource: 'csinodes' },
      { ...written, group: resourceGroup, resource: 'resourceslices', operations: ['create', 'delete'] },
      { group: certificatesGroup, resource: 'certificatesigningrequests', operations: ['create'] },
    ],
    needs: { reader: services.reader, authorizer: services.authorizer },
    async review(request, given) {
      const nodeName = nodeNameOf(request.user)
      if (nodeName === undefined) return
      if (nodeName === '') return reject(`could not determine node from user "${request.user.name}"`)
      const why = await denialReason(request, nodeName, names, given)
      return why === undefined ? undefined : reject(why)
    },
  })
}

function denialReason(
  request: AdmissionRequest<ApiObject>,
  nodeName: string,
  names: NodeNames,
  given: TokenServices,
): string | undefined | Promise<string | undefined> {
  const as = <T>() => request as AdmissionRequest<T>
  const { name, namespace, operation, subresource } = request
  switch (request.resource) {
    case 'pods':
      return checkPod(as<Pod>(), nodeName, names, given.reader)
    case 'nodes':
      return checkNode(as<Node>(), nodeName, { ...names.nodeLabels, keepsOwners: names.keepsOwners })
    case 'persistentvolumeclaims':
      return checkClaim(request, nodeName, names)
    case 'serviceaccounts':
      return operation === 'create' && subresource === 'token'
        ? checkToken(as<TokenRequest>(), nodeName, names, given)
        : undefined
    case 'leases':
      if (namespace !== names.leaseNamespace) return `can only access leases in the "${names.leaseNamespace}" namespace`
      return name === nodeName ? undefined : 'can only access node lease with the same name as the requesting node'
    case 'certificatesigningrequests':
      return checkSigningRequest(as<SigningRequest>(), names.restrictedSigners)
    case 'resourceslices':
      return checkSlice(request, nodeName)
    default:
      return name === nodeName ? undefined : 'can only access CSINode with the same name as the requesting node'
  }
}
