import { defineAdmission, reject, services } from 'orch/sdk'
import type { CertificateSigningRequest } from '../certificate-signing-requests/schema.js'
import type { CertificateNames } from '../names.js'
import { mayActForSigner } from './signer-permission.js'

/** Only someone who may `approve` for a signer may write the approval of its requests. */
export const certificateApproval = ({ group, requests }: Pick<CertificateNames, 'group' | 'requests'>) =>
  defineAdmission<CertificateSigningRequest>()({
    name: 'CertificateApproval',
    after: ['RuntimeClass'],
    phase: 'validate',
    sideEffects: 'none',
    matches: { group, resource: requests.resource, subresource: 'approval', operations: ['update'] },
    needs: { authorizer: services.authorizer },
    async review({ user, oldObject }, { authorizer }) {
      // The stored signer decides: the sent object could name one the user controls.
      const name = oldObject.spec.signerName
      if (await mayActForSigner(authorizer, user, 'approve', { group, name })) return
      return reject(`user not permitted to approve requests with signerName "${name}"`)
    },
  })
