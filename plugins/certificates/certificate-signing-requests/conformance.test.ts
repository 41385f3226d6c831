import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { acme, acmeNames } from '../testing/acme.js'
import { aRequest } from '../testing/made-requests.js'
import { certificateSigningRequests } from './resource.js'
import type { CertificateSigningRequest } from './schema.js'

const conformance = suite('certificate requests behave like every type')
const request = Buffer.from((await aRequest()).pem).toString('base64')

for (const { name, run } of resourceConformance<CertificateSigningRequest>({
  resource: certificateSigningRequests(acmeNames),
  vendor: acme.profile,
  valid: () => ({ spec: { request, signerName: 'example.com/x', usages: ['client auth'] } }),
  invalid: {
    'signer without a domain': ({ spec }) => {
      spec.signerName = 'client'
    },
    'request that is no PEM': ({ spec }) => {
      spec.request = 'AAAA'
    },
    'no usages': ({ spec }) => {
      spec.usages = []
    },
  },
}))
  conformance(name, run)
conformance.run()
