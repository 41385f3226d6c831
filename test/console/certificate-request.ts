import { webcrypto } from 'node:crypto'
import 'reflect-metadata'
import { cryptoProvider, Pkcs10CertificateRequestGenerator } from '@peculiar/x509'

/** A certificate request as it stands in an object: base64 of PEM. */
export async function certificateRequest(name: string, organizations: readonly string[]): Promise<string> {
  cryptoProvider.set(webcrypto as never)
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await webcrypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: [{ CN: [name] }, ...organizations.map(each => ({ O: [each] }))],
    keys: keys as never,
    signingAlgorithm: algorithm,
  })
  return Buffer.from(request.toString('pem')).toString('base64')
}
