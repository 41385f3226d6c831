import { createPrivateKey, randomBytes, webcrypto } from 'node:crypto'
import type { Pkcs10CertificateRequest } from '@peculiar/x509'
import { alternativeNames, x509 } from './x509.js'

/** A certificate authority on P-256, PEM. */
export interface Authority {
  readonly certificatePem: string
  readonly keyPem: string
}

/** The certificate in PEM, followed by that of the CA, which servers present with it. */
export async function issue(
  request: Pkcs10CertificateRequest,
  usages: readonly string[],
  validity: { readonly notBefore: Date; readonly notAfter: Date },
  authority: Authority,
): Promise<string> {
  const library = await x509()
  const issuer = new library.X509Certificate(authority.certificatePem)
  const { digitalSignature, keyEncipherment } = library.KeyUsageFlags
  const certificate = await library.X509CertificateGenerator.create({
    serialNumber: `40${randomBytes(15).toString('hex')}`,
    subject: request.subjectName,
    issuer: issuer.subjectName,
    ...validity,
    publicKey: request.publicKey,
    signingKey: await signingKey(authority.keyPem),
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    extensions: [
      new library.BasicConstraintsExtension(false, undefined, true),
      new library.KeyUsagesExtension(
        usages.includes('key encipherment') ? digitalSignature | keyEncipherment : digitalSignature,
        true,
      ),
      new library.ExtendedKeyUsageExtension([library.ExtendedKeyUsage.serverAuth]),
      await library.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      new library.SubjectAlternativeNameExtension(await alternativeNames(request)),
    ],
  })
  return `${certificate.toString('pem')}\n${issuer.toString('pem')}\n`
}

function signingKey(pem: string): Promise<webcrypto.CryptoKey> {
  const der = createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' })
  return webcrypto.subtle.importKey('pkcs8', der, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
}
