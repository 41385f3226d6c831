import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { defineAuthenticator, type ServerFacts, services } from 'orch/sdk'

/** Client certificates: the common name is the user, each organization a group. The server's own CA is always trusted. */
export const clientCertificates = (caFile: string | undefined) =>
  defineAuthenticator({
    name: 'client-certificates',
    kind: 'request',
    needs: { server: services.server, clock: services.clock },
    authenticate(credentials, { server, clock }) {
      const presented = credentials.peerCertificate()
      if (!presented) return undefined
      const certificate = new X509Certificate(presented.raw)
      const now = clock.now()
      if (Date.parse(certificate.validTo) < now || Date.parse(certificate.validFrom) > now)
        throw new Error('the certificate is not valid now')
      const isTrusted = authorities(server, caFile).some(
        authority => certificate.checkIssued(authority) && certificate.verify(authority.publicKey),
      )
      if (!isTrusted) throw new Error('the certificate is signed by an unknown authority')
      const { CN: name, O: organizations = [] } = presented.subject as unknown as { CN?: string; O?: string | string[] }
      if (!name) throw new Error('the certificate has no common name')
      return { user: { name, groups: typeof organizations === 'string' ? [organizations] : organizations } }
    },
  })

const blocks = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g
let parsed: { readonly text: string; readonly certificates: X509Certificate[] } | undefined

function authorities(server: ServerFacts, caFile: string | undefined): readonly X509Certificate[] {
  const text = `${server.caCertificatePem ?? ''}\n${caFile === undefined ? '' : readFileSync(caFile, 'utf8')}`
  if (parsed?.text !== text)
    parsed = { text, certificates: (text.match(blocks) ?? []).map(block => new X509Certificate(block)) }
  return parsed.certificates
}
