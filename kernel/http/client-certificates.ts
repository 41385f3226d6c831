import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'

/** Beside the socket, which is Node's: it has no room for fields of ours. */
const presented = new WeakMap<TLSSocket, readonly X509Certificate[]>()
const nothing: readonly X509Certificate[] = []
/** Nobody needs a longer chain, and each link costs time to check. */
const longestChain = 8

/** Read once per connection: every reading parses the certificates anew. */
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
