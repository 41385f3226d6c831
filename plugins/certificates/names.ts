import type { Vendor } from 'orch/sdk'
import type { ResourceRef } from 'orch/sdk/client'
import { recordEvents } from 'orch/sdk/controllers'

/** Every vendor-derived name of this plugin. */
export const certificateNames = (vendor: Vendor) => {
  const group = vendor.group('certificates')
  return {
    group,
    /** The rule of loops that record events. */
    recordEvents: recordEvents(vendor),
    requests: { group, version: 'v1', resource: 'certificatesigningrequests' } satisfies ResourceRef,
    bundles: { group, version: 'v1beta1', resource: 'clustertrustbundles' } satisfies ResourceRef,
    podRequests: { group, version: 'v1beta1', resource: 'podcertificaterequests' } satisfies ResourceRef,
    accessReviews: {
      group: vendor.group('authorization'),
      version: 'v1',
      resource: 'subjectaccessreviews',
    } satisfies ResourceRef,
    clientSigner: vendor.signer('client'),
    nodeAgentClientSigner: vendor.signer('nodeAgentClient'),
    nodeAgentServingSigner: vendor.signer('nodeAgentServing'),
    legacyUnknownSigner: vendor.signer('legacyUnknown'),
    /** Name of the node agent in messages. */
    nodeAgent: vendor.profile.nodeAgent,
  }
}
export type CertificateNames = ReturnType<typeof certificateNames>
