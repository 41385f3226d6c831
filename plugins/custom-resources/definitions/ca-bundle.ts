import { X509Certificate } from 'node:crypto'
import { pemBlocks } from 'orch/sdk/files'

/**
 * Whether the CA bundle of a webhook consists of PEM certificates, in Base64. An empty one is valid: the CAs of the
 * system apply.
 */
export function isValidBundle(caBundle: string): boolean {
  const text = Buffer.from(caBundle, 'base64').toString('latin1')
  if (text.trim() === '') return true
  const certificates = pemBlocks(text).filter(({ label }) => label === 'CERTIFICATE')
  try {
    for (const certificate of certificates) new X509Certificate(certificate.text)
  } catch {
    return false
  }
  return certificates.length > 0
}
