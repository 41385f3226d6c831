import { type Column, defineResource, nameColumn, type Strategy } from 'orch/sdk'
import type { CertificateNames } from '../names.js'
import { ClusterTrustBundle, clusterTrustBundleIn } from './schema.js'
import { validateBundle, validateBundleUpdate } from './validation.js'

const mainStrategy = {
  unconditionalUpdate: false,
  validate: validateBundle,
  validateUpdate: validateBundleUpdate,
} satisfies Strategy<ClusterTrustBundle>

const columns: readonly Column<ClusterTrustBundle>[] = [
  nameColumn as Column<ClusterTrustBundle>,
  {
    name: 'SignerName',
    type: 'string',
    description: 'The signer whose certificates these anchors are for.',
    cell: ({ spec: { signerName = '' } }) => (signerName === '' ? '<none>' : signerName),
  },
]

/** Off by default in every version: --runtime-config turns it on. */
export const clusterTrustBundles = ({ group, bundles }: CertificateNames) =>
  defineResource({
    group,
    kind: 'ClusterTrustBundle',
    resource: bundles.resource,
    namespaced: false,
    versions: [
      { name: 'v1beta1', since: '1.33', schema: ClusterTrustBundle, storage: true, served: false },
      { name: 'v1alpha1', since: '1.27', schema: clusterTrustBundleIn('v1alpha1') },
    ],
    since: '1.27',
    generation: false,
    strategy: mainStrategy,
    selectableFields: { 'spec.signerName': ({ spec }: ClusterTrustBundle) => spec.signerName ?? '' },
    // The rules depend on the signer, so `validateBundleName` checks them.
    validateName: () => [],
    columns,
  })
