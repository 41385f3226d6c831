import { generateKeyPairSync, sign } from 'node:crypto'
import type { ConformanceSamples, Vendor } from 'orch/sdk'
import type { CertificateSigningRequest } from './certificate-signing-requests/schema.js'
import type { ClusterTrustBundle } from './cluster-trust-bundles/schema.js'
import { certificateNames } from './names.js'
import type { PodCertificateRequest } from './pod-certificate-requests/schema.js'

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
          'request that is not PEM': ({ spec }: CertificateSigningRequest) => {
            spec.request = 'AAAA'
          },
          'no usages': ({ spec }: CertificateSigningRequest) => {
            spec.usages = []
          },
        },
      },
      [`clustertrustbundles.${group}`]: {
        valid: (): Pick<ClusterTrustBundle, 'spec'> => ({ spec: { trustBundle } }),
        invalid: {
          'no anchor': ({ spec }: ClusterTrustBundle) => {
            spec.trustBundle = ''
          },
          'a duplicate anchor': ({ spec }: ClusterTrustBundle) => {
            spec.trustBundle = trustBundle + trustBundle
          },
        },
      },
      [`podcertificaterequests.${group}`]: {
        valid: podCertificateRequest,
        invalid: {
          'the proof of another Pod': ({ spec }: PodCertificateRequest) => {
            spec.podUID = 'another'
          },
          'a lifetime of less than an hour': ({ spec }: PodCertificateRequest) => {
            spec.maxExpirationSeconds = 60
          },
        },
      },
    },
  }
}

/** Requests a certificate for a new key, with a proof of possession. */
function podCertificateRequest(): Pick<PodCertificateRequest, 'spec'> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const podUID = '7d4ff7a8-3b52-4b0a-8a3c-0c5a3e8f3c11'
  return {
    spec: {
      signerName: 'example.com/pods',
      podName: 'p',
      podUID,
      serviceAccountName: 'default',
      serviceAccountUID: '1b0fb6f2-7c5c-4f56-90f3-2a37f0a1a3b4',
      nodeName: 'n',
      nodeUID: 'c2a1f6a5-5f0e-4a3e-9a44-6a2f5f0d9d11',
      maxExpirationSeconds: 86_400,
      pkixPublicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
      proofOfPossession: sign(null, Buffer.from(podUID), privateKey).toString('base64'),
    },
  }
}

/** A request of the user jane in the group gardeners; the key was discarded. */
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

/** An authority whose key was discarded, valid until 2126. */
const anchor = [
  '-----BEGIN CERTIFICATE-----',
  'MIIBgzCCASmgAwIBAgIURVp2blbu4CYX4OP8s/VQD7uBRWEwCgYIKoZIzj0EAwIw',
  'FjEUMBIGA1UEAwwLY29uZm9ybWFuY2UwIBcNMjYxMTE3MTY1OTA4WhgPMjEyNjEw',
  'MjQxNjU5MDhaMBYxFDASBgNVBAMMC2NvbmZvcm1hbmNlMFkwEwYHKoZIzj0CAQYI',
  'KoZIzj0DAQcDQgAE4uLIQBQVemGOQUS72XEgNLCxX+nQb3WV0w8bMjz7Q4n8ZdjB',
  'aW4slDseoMCYjR42GgKfUUtC7bju2teLEB0wqqNTMFEwHQYDVR0OBBYEFD2jOqCu',
  'j6qLpZGzOpx8oliyDSiUMB8GA1UdIwQYMBaAFD2jOqCuj6qLpZGzOpx8oliyDSiU',
  'MA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIgFUKSTxStPrGXN16U',
  'i/PM8ULoyOzYdPlXEfwbQLCdV7kCIQCdQkIdwpKf9FRAz3RhMCRrgCqkiGL0N1QU',
  'QT2CBkbghg==',
  '-----END CERTIFICATE-----',
]
const trustBundle = `${anchor.join('\n')}\n`
