import type { ControllerRule } from 'orch/sdk'
import type { CertificateNames } from '../names.js'

/** The account of all control loops for certificates, and its rules. */
export const certificateAccount = (names: CertificateNames) => ({
  account: 'certificate-controller',
  rules: [
    { verbs: ['delete', 'get', 'list', 'watch'], apiGroups: [names.group], resources: [names.requests.resource] },
    {
      verbs: ['update'],
      apiGroups: [names.group],
      resources: ['certificatesigningrequests/approval', 'certificatesigningrequests/status'],
    },
    {
      verbs: ['approve'],
      apiGroups: [names.group],
      resources: ['signers'],
      resourceNames: [names.nodeAgentClientSigner],
    },
    {
      verbs: ['sign'],
      apiGroups: [names.group],
      resources: ['signers'],
      resourceNames: [
        names.clientSigner,
        names.nodeAgentClientSigner,
        names.nodeAgentServingSigner,
        names.legacyUnknownSigner,
      ],
    },
    { verbs: ['create'], apiGroups: [names.accessReviews.group], resources: [names.accessReviews.resource] },
    names.recordEvents,
  ] satisfies ControllerRule[],
})
