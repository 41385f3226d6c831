import { isDeepStrictEqual } from 'node:util'
import { defineAdmission, reject, services } from 'orch/sdk'
import { conditionsOf } from '../certificate-signing-requests/request-state.js'
import type { CertificateSigningRequest } from '../certificate-signing-requests/schema.js'
import type { CertificateNames } from '../names.js'
import { mayActForSigner } from './signer-permission.js'

/** Only someone who may `sign` for a signer may change the certificate or the conditions of its requests. */
export const certificateSigning = ({ group, requests }: Pick<CertificateNames, 'group' | 'requests'>) =>
  defineAdmission<CertificateSigningRequest>()({
    name: 'CertificateSigning',
    after: ['CertificateApproval'],
    phase: 'validate',
    sideEffects: 'none',
    matches: { group, resource: requests.resource, subresource: 'status', operations: ['update'] },
    needs: { authorizer: services.authorizer },
    async review({ user, object, oldObject }, { authorizer }) {
      if (hasSameStatus(object, oldObject)) return
      // The stored signer decides: the sent object could name one the user controls.
      const name = oldObject.spec.signerName
      if (await mayActForSigner(authorizer, user, 'sign', { group, name })) return
      return reject(`user not permitted to sign requests with signerName "${name}"`)
    },
  })

const hasSameStatus = (sent: CertificateSigningRequest, stored: CertificateSigningRequest) =>
  (sent.status?.certificate ?? '') === (stored.status?.certificate ?? '') &&
  isDeepStrictEqual(conditionsOf(sent), conditionsOf(stored))
