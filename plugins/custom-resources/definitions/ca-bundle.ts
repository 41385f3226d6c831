import { X509Certificate } from 'node:crypto'
import { pemBlocks } from 'orch/sdk/files'

/** Whether a bundle of a webhook is PEM certificates, as Base64. None at all is fine: the authorities of the system count then. */
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
