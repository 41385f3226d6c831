import { definePlugin } from 'orch/sdk'
import { certificateApproval } from './admission/certificate-approval.js'
import { certificateSigning } from './admission/certificate-signing.js'
import { certificateSubjectRestriction } from './admission/certificate-subject-restriction.js'
import { clusterTrustBundleAttest } from './admission/cluster-trust-bundle-attest.js'
import { certificateSigningRequests } from './certificate-signing-requests/resource.js'
import { clusterTrustBundles } from './cluster-trust-bundles/resource.js'
import { differences } from './differences.js'
import { csrApproving } from './loops/csr-approving.js'
import { csrCleaner } from './loops/csr-cleaner.js'
import { csrSigning } from './loops/csr-signing.js'
import { certificateNames } from './names.js'
import { CertificateOptions, maxLifetimeOf } from './options.js'
import { podCertificateRequests } from './pod-certificate-requests/resource.js'
import { signingFiles } from './signers/authorities.js'

export { conformance } from './conformance.js'

export const certificates = definePlugin({
  name: 'certificates',
  differences,
  requires: ['authorization'],
  options: CertificateOptions,
  register(to, { vendor, options }) {
    const names = certificateNames(vendor)
    const signing = { files: signingFiles(options), maxLifetimeMs: maxLifetimeOf(options) }
    to.resource(certificateSigningRequests(names), clusterTrustBundles(names), podCertificateRequests(names))
    to.admission(certificateApproval(names), certificateSigning(names), certificateSubjectRestriction(names))
    to.admission(clusterTrustBundleAttest(names))
    to.controller(csrApproving(names), csrSigning(names, signing), csrCleaner(names))
  },
})
