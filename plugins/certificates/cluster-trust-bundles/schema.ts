import { field, Kind, type ObjectOf, required, Struct, Text } from 'orch/sdk'

/** Both versions have the same fields under their own type names. */
export const clusterTrustBundleIn = (version: 'v1beta1' | 'v1alpha1') =>
  Kind(
    `certificates.${version}.ClusterTrustBundle`,
    {
      spec: required(
        2,
        Struct(
          `certificates.${version}.ClusterTrustBundleSpec`,
          {
            signerName: field(1, Text(), 'The signer whose certificates these anchors are for. It cannot be changed.'),
            trustBundle: required(
              2,
              Text(),
              'Trust anchors: certificates of authorities in PEM blocks, in no particular order and each once.',
            ),
          },
          { description: 'Which authorities are trusted.' },
        ),
        'Which authorities are trusted.',
      ),
    },
    { description: 'Authorities that workloads of the whole cluster may trust.' },
  )
export const ClusterTrustBundle = clusterTrustBundleIn('v1beta1')
export type ClusterTrustBundle = ObjectOf<typeof ClusterTrustBundle>
