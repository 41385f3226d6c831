import { type Client, unlessLost } from 'orch/sdk/client'
import { defineControlLoop } from 'orch/sdk/controllers'
import {
  approved,
  conditionsOf,
  denied,
  hasCondition,
  isIssued,
} from '../certificate-signing-requests/request-state.js'
import type {
  CertificateSigningRequest,
  CertificateSigningRequestSpec,
} from '../certificate-signing-requests/schema.js'
import type { CertificateNames } from '../names.js'
import { signerRules } from '../signers/built-in-signers.js'
import { parseRequest, userNameOf } from '../signing/parse-request.js'
import { certificateAccount } from './account.js'

/** The permission may be granted after the request was created. */
const recheckMs = 10_000

/** Approves client certificates of node agents if the requester has the permission. */
export const csrApproving = (names: CertificateNames) =>
  defineControlLoop({
    name: 'csrapproving',
    ...certificateAccount(names),
    sources: [{ resource: names.requests, fieldSelector: `spec.signerName=${names.nodeAgentClientSigner}` }],
    reconcile: async (name, caches, runtime) => {
      const request = caches.of<CertificateSigningRequest>(names.requests).get('', name)
      if (request && (await approve(request, names, runtime.client)) === 'not permitted')
        return { requeueAfterMs: recheckMs }
      return
    },
  })

/** Approves the request of a node agent if the requester has the permission. All other requests wait for a person. */
async function approve(
  request: CertificateSigningRequest,
  names: CertificateNames,
  client: Client,
): Promise<'done' | 'not permitted'> {
  if (isIssued(request) || hasCondition(request, approved) || hasCondition(request, denied)) return 'done'
  const parsed = await parseRequest(Buffer.from(request.spec.request, 'base64'))
  if (signerRules.nodeAgentClient(parsed, request.spec.usages ?? []) !== undefined) return 'done'
  const permissions = [
    // Renewal of an agent's own certificate.
    ...(request.spec.username === userNameOf(parsed)
      ? [{ subresource: 'selfnodeclient', what: `self ${names.nodeAgent}` }]
      : []),
    // The first certificate of a new agent.
    { subresource: 'nodeclient', what: names.nodeAgent },
  ]
  for (const { subresource, what } of permissions) {
    if (!(await mayCreate(subresource, request.spec, names, client))) continue
    const condition = {
      type: approved,
      status: 'True',
      reason: 'AutoApproved',
      message: `Auto approving ${what} client certificate after SubjectAccessReview.`,
    }
    const status = { ...request.status, conditions: [...conditionsOf(request), condition] }
    const requests = client.resource<CertificateSigningRequest>(names.requests)
    await unlessLost(requests.updateSubresource('approval', { ...request, status }), 'Conflict', 'NotFound')
    return 'done'
  }
  return 'not permitted'
}

interface AccessReview {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: object
  readonly spec: object
  readonly status?: { readonly allowed?: boolean }
}

async function mayCreate(
  subresource: string,
  requester: CertificateSigningRequestSpec,
  { accessReviews, requests: { group, resource } }: CertificateNames,
  client: Client,
): Promise<boolean> {
  const { username: user, uid, groups, extra } = requester
  const { status } = await client.resource<AccessReview>(accessReviews).create({
    apiVersion: `${accessReviews.group}/${accessReviews.version}`,
    kind: 'SubjectAccessReview',
    metadata: {},
    spec: {
      user,
      uid,
      groups,
      extra,
      resourceAttributes: { verb: 'create', group, version: '*', resource, subresource },
    },
  })
  return status?.allowed === true
}
