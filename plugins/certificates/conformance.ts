import type { ConformanceSamples, Vendor } from 'orch/sdk'
import type { CertificateSigningRequest } from './certificate-signing-requests/schema.js'
import { certificateNames } from './names.js'

/** Samples for `orch conformance`. */
export function conformance(vendor: Vendor): ConformanceSamples {
  const { group } = certificateNames(vendor)
  return {
    samples: {
      [`certificatesigningrequests.${group}`]: {
        valid: (): Pick<CertificateSigningRequest, 'spec'> => ({
          spec: { request, signerName: 'example.com/x', usages: ['client auth'] },
        }),
        invalid: {
          'signer without a domain': ({ spec }: CertificateSigningRequest) => {
            spec.signerName = 'client'
          },
          'request that is no PEM': ({ spec }: CertificateSigningRequest) => {
            spec.request = 'AAAA'
          },
          'no usages': ({ spec }: CertificateSigningRequest) => {
            spec.usages = []
          },
        },
      },
    },
  }
}

/** Of jane, among the gardeners; nobody has the key. */
const pem = [
  '-----BEGIN CERTIFICATE REQUEST-----',
  'MIHeMIGFAgEAMCMxEjAQBgNVBAoMCWdhcmRlbmVyczENMAsGA1UEAwwEamFuZTBZ',
  'MBMGByqGSM49AgEGCCqGSM49AwEHA0IABCQuSQ/oPhB0utAFg2XUWbAGhwxQHIeX',
  '2jPwo8KqVRUwEzyJeYNZmr4uzIrr9d1a33aYKFhM68mQ1OB30lirRMCgADAKBggq',
  'hkjOPQQDAgNIADBFAiBMGg4Rly/0IPLMOIpkCNfwR+f2ihf0hpU7V0IFujvO3gIh',
  'AI9Ruayxxg7HKUAC9WgKRJayYZGEHZTH2jbPu2vdzP0y',
  '-----END CERTIFICATE REQUEST-----',
]
const request = Buffer.from(`${pem.join('\n')}\n`).toString('base64')
