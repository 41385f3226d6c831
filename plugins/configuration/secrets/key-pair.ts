import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { Secret } from 'orch/sdk/core'

/** The problem with the certificate and the key of a TLS Secret, if any, without their contents. */
export function keyPairProblem({ data = {} }: Secret): string | undefined {
  const read = (key: string) => Buffer.from(data[key] ?? '', 'base64')
  let certificate: X509Certificate
  try {
    certificate = new X509Certificate(read('tls.crt'))
  } catch {
    return 'tls: failed to find any PEM data in certificate input'
  }
  try {
    const key = createPrivateKey(read('tls.key'))
    return certificate.checkPrivateKey(key) ? undefined : 'tls: private key does not match public key'
  } catch {
    return 'tls: failed to find any PEM data in key input'
  }
}
