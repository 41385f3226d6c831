import { isDeepStrictEqual } from 'node:util'
import { defineAdmission, reject, services } from 'orch/sdk'
import { conditionsOf } from '../certificate-signing-requests/request-state.js'
import type { CertificateSigningRequest } from '../certificate-signing-requests/schema.js'
import type { CertificateNames } from '../names.js'
import type { PodCertificateRequest } from '../pod-certificate-requests/schema.js'
import { mayActForSigner } from './signer-permission.js'

type Signable = CertificateSigningRequest | PodCertificateRequest

/** Only someone who may `sign` for a signer may change the certificate or the conditions of its requests. */
export const certificateSigning = ({
  group,
  requests,
  podRequests,
}: Pick<CertificateNames, 'group' | 'requests' | 'podRequests'>) =>
  defineAdmission<Signable>()({
    name: 'CertificateSigning',
    after: ['CertificateApproval'],
    phase: 'validate',
    sideEffects: 'none',
    matches: [requests, podRequests].map(({ resource }) => ({
      group,
      resource,
      subresource: 'status',
      operations: ['update'],
    })),
    needs: { authorizer: services.authorizer },
    async review({ user, object, oldObject }, { authorizer }) {
      if (hasSameStatus(object, oldObject)) return
      // The stored signer decides: the sent object could name one the user controls.
      const name = oldObject.spec.signerName
      if (await mayActForSigner(authorizer, user, 'sign', { group, name })) return
      return reject(`user not permitted to sign requests with signerName "${name}"`)
    },
  })

const hasSameStatus = (sent: Signable, stored: Signable) =>
  isForPod(sent) || isForPod(stored)
    ? isDeepStrictEqual(sent.status, stored.status)
    : (sent.status?.certificate ?? '') === (stored.status?.certificate ?? '') &&
      isDeepStrictEqual(conditionsOf(sent), conditionsOf(stored))

const isForPod = (request: Signable): request is PodCertificateRequest => 'podName' in request.spec
