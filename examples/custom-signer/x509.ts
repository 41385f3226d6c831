import { webcrypto } from 'node:crypto'
import type { JsonGeneralNames, Pkcs10CertificateRequest } from '@peculiar/x509'

type X509 = typeof import('@peculiar/x509')

/** The library, loaded with the first request, so that it does not delay the start of the server. */
export async function x509(): Promise<X509> {
  await import('reflect-metadata') // the library needs this first
  const library = await import('@peculiar/x509')
  library.cryptoProvider.set(webcrypto)
  return library
}

/** The alternative names in a request. */
export async function alternativeNames(request: Pkcs10CertificateRequest): Promise<JsonGeneralNames> {
  const { SubjectAlternativeNameExtension } = await x509()
  return [...request.extensions].flatMap(extension =>
    extension instanceof SubjectAlternativeNameExtension ? extension.names.toJSON() : [],
  )
}
