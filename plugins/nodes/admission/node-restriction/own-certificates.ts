import type { AdmissionRequest } from 'orch/sdk'
import { type DerValue, derValues } from 'orch/sdk/identity'

/** The part of a CertificateSigningRequest that this check reads. */
export interface SigningRequest {
  readonly spec?: {
    readonly signerName?: string
    /** A PEM text, in base64. */
    readonly request?: string
  }
}

/** A node may request certificates of nodes only for itself. Returns the reason for a denial. */
export function checkSigningRequest(
  { object: { spec = {} }, user }: AdmissionRequest<SigningRequest>,
  signers: readonly string[],
): string | undefined {
  if (!signers.includes(spec.signerName ?? '')) return undefined
  try {
    const name = commonNameOf(Buffer.from(spec.request ?? '', 'base64').toString('latin1'))
    return name === user.name ? undefined : `can only create a node CSR with CN=${user.name}`
  } catch (error) {
    return `unable to parse csr: ${error instanceof Error ? error.message : String(error)}`
  }
}

const block = /-----BEGIN CERTIFICATE REQUEST-----([\sA-Za-z0-9+/=]*)-----END CERTIFICATE REQUEST-----/
const commonName = Buffer.from([0x55, 0x04, 0x03])

/**
 * The last common name of the subject of a PKCS#10 request, which is the user of the certificate. The signer checks
 * everything else. Throws an Error if the request cannot be read.
 */
function commonNameOf(pem: string): string | undefined {
  const [, base64] = block.exec(pem) ?? []
  if (base64 === undefined) throw new Error('there is no PEM block with a certificate request')
  const [request] = derValues(Buffer.from(base64, 'base64'))
  const [content] = partsOf(request)
  const [, subject] = partsOf(content)
  const attributes = partsOf(subject).flatMap(partsOf).map(partsOf)
  const named = attributes.filter(([type]) => type?.content.equals(commonName))
  return named.at(-1)?.[1]?.content.toString('latin1')
}

const partsOf = (value: DerValue | undefined): DerValue[] => {
  if (!value) throw new Error('the certificate request is incomplete')
  return derValues(value.content)
}
