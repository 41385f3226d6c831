import { webcrypto } from 'node:crypto'

type X509 = typeof import('@peculiar/x509')
let loaded: Promise<X509> | undefined

/** The certificate library, loaded on first use: loading takes a tenth of a second, and most servers never need it. */
export function loadX509(): Promise<X509> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<X509> {
  // The library is built on tsyringe, which needs this first.
  await import('reflect-metadata')
  const x509 = await import('@peculiar/x509')
  x509.cryptoProvider.set(webcrypto)
  return x509
}
