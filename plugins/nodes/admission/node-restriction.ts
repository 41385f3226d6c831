import {
  type AdmissionMatch,
  type AdmissionRequest,
  type ApiObject,
  defineAdmission,
  nodeNameOf,
  reject,
  type StoreReader,
  services,
} from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import type { NodeNames } from '../names.js'
import type { Node } from '../nodes/schema.js'
import { checkToken, type TokenRequest } from './node-restriction/bound-tokens.js'
import { checkClaim } from './node-restriction/claim-status.js'
import { checkNode } from './node-restriction/own-node.js'
import { checkPod } from './node-restriction/own-pods.js'

/** Keeps the agent of a node to what is its own: its Node, its Lease, its CSINode, and the Pods bound to it. */
export const nodeRestriction = (names: NodeNames) => {
  const { coordinationGroup, storageGroup } = names
  const written = { subresource: '*', operations: ['create', 'update', 'delete'] } satisfies AdmissionMatch
  const core = ['pods', 'nodes', 'persistentvolumeclaims', 'serviceaccounts']
  return defineAdmission<ApiObject>()({
    name: 'NodeRestriction',
    phase: 'mutate', // before others change what the node sent
    sideEffects: 'none',
    enabledByDefault: false,
    matches: [
      { ...written, group: '', resource: core },
      { ...written, group: coordinationGroup, resource: 'leases' },
      { ...written, group: storageGroup, resource: 'csinodes' },
    ],
    needs: { reader: services.reader },
    async review(request, { reader }) {
      const nodeName = nodeNameOf(request.user)
      if (nodeName === undefined) return
      if (nodeName === '') return reject(`could not determine node from user "${request.user.name}"`)
      const why = await refusalOf(request, nodeName, names, reader)
      return why === undefined ? undefined : reject(why)
    },
  })
}

function refusalOf(
  request: AdmissionRequest<ApiObject>,
  nodeName: string,
  names: NodeNames,
  reader: StoreReader,
): string | undefined | Promise<string | undefined> {
  const as = <T>() => request as unknown as AdmissionRequest<T>
  const { name, namespace, operation, subresource } = request
  switch (request.resource) {
    case 'pods':
      return checkPod(as<Pod>(), nodeName, names, reader)
    case 'nodes':
      return checkNode(as<Node>(), nodeName, names.nodeLabels)
    case 'persistentvolumeclaims':
      return checkClaim(request, nodeName)
    case 'serviceaccounts':
      return operation === 'create' && subresource === 'token'
        ? checkToken(as<TokenRequest>(), nodeName, reader)
        : undefined
    case 'leases':
      if (namespace !== names.leaseNamespace) return `can only access leases in the "${names.leaseNamespace}" namespace`
      return name === nodeName ? undefined : 'can only access node lease with the same name as the requesting node'
    default:
      return name === nodeName ? undefined : 'can only access CSINode with the same name as the requesting node'
  }
}
