import type { X509Certificate } from 'node:crypto'
import { type Resolved, services } from 'orch/sdk'
import { defineAuthenticator } from 'orch/sdk/identity'
import { readOnce } from '../read-once.js'
import { certificateBundle, parseCertificates } from '../x509/certificate-bundle.js'
import { subjectOf } from '../x509/certificate-subject.js'
import { ClientVerifier } from '../x509/client-verifier.js'
import type { Method } from './method.js'

const needs = {
  server: services.server,
  clock: services.clock,
  logger: services.logger,
  metrics: services.metrics,
}

/**
 * Client certificates: the common name is the user, each organization a group. The CA that the server generated is
 * always trusted, because it signed the administrator's certificate.
 */
export function clientCertificates(
  caFile: string | undefined,
  { idExtra, readsUid }: { readonly idExtra?: string; readonly readsUid: boolean },
): Method<typeof needs> {
  const verifier = readOnce(({ server, ...given }: Resolved<typeof needs>) => {
    const { clock } = given
    const own = parseCertificates(server.caCertificatePem ?? '')
    if (caFile === undefined) return new ClientVerifier(() => own, clock)
    const bundle = certificateBundle(caFile, 'authorities of client certificates', given)
    const together = joined(own)
    return new ClientVerifier(() => together(bundle.current()), clock)
  })
  return {
    authenticator: defineAuthenticator({
      name: 'client-certificates',
      kind: 'request',
      needs,
      authenticate(credentials, given) {
        const presented = credentials.clientCertificates()
        const [own] = presented
        if (!own) return undefined
        verifier(given).verify(presented)
        const { commonName, organizations, uids } = subjectOf(own)
        if (commonName === '') throw new Error('the client certificate has no common name')
        const uid = readsUid ? onlyUid(uids) : undefined
        return {
          user: {
            name: commonName,
            ...(uid === undefined ? {} : { uid }),
            groups: organizations,
            ...(idExtra === undefined ? {} : { extra: { [idExtra]: [`X509SHA256=${fingerprintOf(own)}`] } }),
          },
        }
      },
    }),
    check: { name: 'client certificate authorities', needs, run: given => void verifier(given) },
  }
}

/** SHA-256 of the certificate, in lower case and without colons. */
const fingerprintOf = ({ fingerprint256 }: X509Certificate): string => fingerprint256.replaceAll(':', '').toLowerCase()

function onlyUid(uids: readonly string[]): string | undefined {
  const [uid] = uids
  if (uid === undefined) return undefined
  if (uids.length > 1) throw new Error('the client certificate has several UIDs')
  if (uid === '') throw new Error('the UID of the client certificate is empty')
  return uid
}

/**
 * Joins two lists; the result is the same array as long as the second one is, because verifiers compare by identity.
 */
function joined<T>(fixed: readonly T[]): (changing: readonly T[]) => readonly T[] {
  let last: { readonly changing: readonly T[]; readonly all: readonly T[] } | undefined
  return changing => {
    if (last?.changing !== changing) last = { changing, all: [...fixed, ...changing] }
    return last.all
  }
}
