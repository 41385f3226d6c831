import { defineAdmission, reject } from 'orch/sdk'
import { mastersGroup } from 'orch/sdk/identity'
import type { CertificateSigningRequest } from '../certificate-signing-requests/schema.js'
import type { CertificateNames } from '../names.js'
import { parseRequest } from '../signing/parse-request.js'

/** A certificate must not grant membership in the superuser group, because it could not be revoked. */
export const certificateSubjectRestriction = ({
  group,
  requests,
  clientSigner,
}: Pick<CertificateNames, 'group' | 'requests' | 'clientSigner'>) =>
  defineAdmission<CertificateSigningRequest>()({
    name: 'CertificateSubjectRestriction',
    after: ['CertificateSigning', 'ClusterTrustBundleAttest'],
    phase: 'validate',
    sideEffects: 'none',
    matches: { group, resource: requests.resource, operations: ['create'] },
    async review({ object: { spec } }) {
      if (spec.signerName !== clientSigner) return
      const { subject } = await parseRequest(Buffer.from(spec.request, 'base64'))
      if (subject.organizations.includes(mastersGroup))
        return reject(`use of ${clientSigner} signer with ${mastersGroup} group is not allowed`)
      return
    },
  })
