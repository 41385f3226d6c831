import { isDeepStrictEqual } from 'node:util'
import { defineAdmission, reject, services } from 'orch/sdk'
import type { ClusterTrustBundle } from '../cluster-trust-bundles/schema.js'
import type { CertificateNames } from '../names.js'
import { mayActForSigner } from './signer-permission.js'

/** Only someone who may `attest` for a signer may write its trust anchors. */
export const clusterTrustBundleAttest = ({ group, bundles }: Pick<CertificateNames, 'group' | 'bundles'>) =>
  defineAdmission<ClusterTrustBundle>()({
    name: 'ClusterTrustBundleAttest',
    since: '1.27',
    after: ['CertificateSigning'],
    phase: 'validate',
    sideEffects: 'none',
    matches: { group, resource: bundles.resource, operations: ['create', 'update'] },
    needs: { authorizer: services.authorizer },
    async review({ user, object, oldObject }, { authorizer }) {
      // Validation rejects a changed signer, so the sent one can be used.
      const name = object.spec.signerName
      if (!name || (oldObject && changesOwnersOnly(object, oldObject))) return
      if (await mayActForSigner(authorizer, user, 'attest', { group, name })) return
      return reject(`user not permitted to attest for signerName "${name}"`)
    },
  })

/** Changes by garbage collection and storage migration do not affect the anchors. */
function changesOwnersOnly(sent: ClusterTrustBundle, stored: ClusterTrustBundle): boolean {
  const others = ({ metadata, spec }: ClusterTrustBundle) => {
    const { ownerReferences: _, finalizers: __, managedFields: ___, ...rest } = metadata
    return { rest, spec }
  }
  return isDeepStrictEqual(others(sent), others(stored))
}
