import { conditionsOf, decisions, isIssued } from '../certificate-signing-requests/request-state.js'
import type { CertificateSigningRequest } from '../certificate-signing-requests/schema.js'
import { parseCertificates } from '../signing/issued-certificates.js'

/** A decided request is kept for this long, so that the requester can read it. */
const decidedMs = 3_600_000
/** A request without a decision is abandoned after a day. */
const pendingMs = 24 * 3_600_000
/** A request is kept at least this long after its creation, even if its certificate has expired already. */
const expiredMs = 5 * 60_000

/** When a request is to be removed, in ms since the epoch. */
export function removalTime(request: CertificateSigningRequest): number {
  const changes = conditionsOf(request)
    .filter(({ type }) => decisions.includes(type))
    .map(({ lastUpdateTime, lastTransitionTime }) => timeOf(lastUpdateTime ?? lastTransitionTime))
  const created = timeOf(request.metadata?.creationTimestamp)
  // Clients may write any time into a condition, but no decision is older than the request.
  const idle =
    changes.length === 0
      ? created + pendingMs
      : changes.reduce((last, time) => Math.max(last, time), created) + decidedMs
  return Math.min(idle, Math.max(expiryOf(request), created + expiredMs))
}

/** An invalid time counts as long ago, so that the object is deleted rather than kept for ever. */
const timeOf = (text: string | null | undefined): number => Date.parse(text ?? '') || 0

/** When the issued certificate expires; never without one. */
function expiryOf(request: CertificateSigningRequest): number {
  if (!isIssued(request)) return Number.POSITIVE_INFINITY
  const [issued] = parseCertificates(Buffer.from(request.status?.certificate ?? '', 'base64'))
  return Date.parse(issued?.validTo ?? '') || Number.POSITIVE_INFINITY
}
