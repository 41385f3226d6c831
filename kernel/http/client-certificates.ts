import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'

/** Kept beside Node's socket, which has no room for our fields. */
const presented = new WeakMap<TLSSocket, readonly X509Certificate[]>()
const nothing: readonly X509Certificate[] = []
/** Longer chains are not needed, and each certificate takes time to check. */
const longestChain = 8

/** Read once per connection: every read parses the certificates again. */
export function certificatesOf(socket: TLSSocket): readonly X509Certificate[] {
  const known = presented.get(socket)
  if (known) return known
  const chain: X509Certificate[] = []
  let certificate = socket.getPeerX509Certificate?.()
  for (; certificate && chain.length < longestChain; certificate = certificate.issuerCertificate)
    chain.push(certificate)
  const found = chain.length === 0 ? nothing : chain
  presented.set(socket, found)
  return found
}
