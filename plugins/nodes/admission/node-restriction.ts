import { isDeepStrictEqual } from 'node:util'
import {
  type AdmissionMatch,
  type AdmissionRequest,
  type ApiObject,
  defineAdmission,
  reject,
  type StoreReader,
  services,
} from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import { nodeNameOf } from 'orch/sdk/identity'
import type { NodeNames } from '../names.js'
import type { Node } from '../nodes/schema.js'
import { checkNode } from './node-restriction/own-node.js'
import { checkPod, readPod } from './node-restriction/own-pods.js'

/** The part of a TokenRequest that this check reads. */
interface TokenRequest {
  readonly spec?: {
    readonly boundObjectRef?: {
      readonly apiVersion?: string
      readonly kind?: string
      readonly name?: string
      readonly uid?: string
    }
  }
}

/** A node may request only tokens that are bound to Pods it runs. Returns the reason for a denial. */
async function checkToken(
  { object, namespace }: AdmissionRequest<TokenRequest>,
  nodeName: string,
  reader: StoreReader,
): Promise<string | undefined> {
  const { apiVersion, kind, name, uid } = object.spec?.boundObjectRef ?? {}
  if (apiVersion !== 'v1' || kind !== 'Pod' || !name) return 'node requested token not bound to a pod'
  if (!uid) return 'node requested token with a pod binding without a uid'
  const pod = await readPod(reader, namespace, name)
  if (pod.metadata?.uid !== uid)
    return `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`
  return pod.spec.nodeName === nodeName
    ? undefined
    : 'node requested token bound to a pod scheduled on a different node'
}

/** A node may only report that the file system of a volume was resized. Returns the reason for a denial. */
function checkClaim(
  { operation, subresource, object, oldObject }: AdmissionRequest<ApiObject>,
  nodeName: string,
): string | undefined {
  if (subresource !== 'status' || operation !== 'update') return 'may only update PVC status'
  return isDeepStrictEqual(withoutResizeFields(object), withoutResizeFields(oldObject))
    ? undefined
    : `node "${nodeName}" is not allowed to update fields other than status.capacity and status.conditions`
}

/** A node may only publish its own devices. Updates are checked by the authorizer, which has the stored slice. */
function checkSlice({ operation, object, oldObject }: AdmissionRequest<ApiObject>, nodeName: string) {
  const { spec } = (operation === 'create' ? object : oldObject) as { spec?: { nodeName?: string } }
  return spec?.nodeName === nodeName
    ? undefined
    : `can only ${operation} ResourceSlice with the same NodeName as the requesting node`
}

/** As JSON, so that missing and undefined fields compare equal. */
function withoutResizeFields({ metadata, status, apiVersion: _, kind: __, ...rest }: ApiObject): unknown {
  const { resourceVersion: ___, managedFields: ____, ...meta } = metadata
  const { capacity: _____, conditions: ______, ...others } = (status ?? {}) as Record<string, unknown>
  return JSON.parse(JSON.stringify({ ...rest, metadata: meta, status: others }))
}

/** Restricts the agent of a node to its own Node, Lease and CSINode, and to the Pods bound to it. */
export const nodeRestriction = (names: NodeNames) => {
  const { coordinationGroup, storageGroup, resourceGroup } = names
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
    ],
    needs: { reader: services.reader },
    async review(request, { reader }) {
      const nodeName = nodeNameOf(request.user)
      if (nodeName === undefined) return
      if (nodeName === '') return reject(`could not determine node from user "${request.user.name}"`)
      const why = await denialReason(request, nodeName, names, reader)
      return why === undefined ? undefined : reject(why)
    },
  })
}

function denialReason(
  request: AdmissionRequest<ApiObject>,
  nodeName: string,
  names: NodeNames,
  reader: StoreReader,
): string | undefined | Promise<string | undefined> {
  const as = <T>() => request as AdmissionRequest<T>
  const { name, namespace, operation, subresource } = request
  switch (request.resource) {
    case 'pods':
      return checkPod(as<Pod>(), nodeName, names, reader)
    case 'nodes':
      return checkNode(as<Node>(), nodeName, { ...names.nodeLabels, keepsOwners: names.keepsOwners })
    case 'persistentvolumeclaims':
      return checkClaim(request, nodeName)
    case 'serviceaccounts':
      return operation === 'create' && subresource === 'token'
        ? checkToken(as<TokenRequest>(), nodeName, reader)
        : undefined
    case 'leases':
      if (namespace !== names.leaseNamespace) return `can only access leases in the "${names.leaseNamespace}" namespace`
      return name === nodeName ? undefined : 'can only access node lease with the same name as the requesting node'
    case 'resourceslices':
      return checkSlice(request, nodeName)
    default:
      return name === nodeName ? undefined : 'can only access CSINode with the same name as the requesting node'
  }
}
