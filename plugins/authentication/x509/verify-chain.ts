import type { X509Certificate } from 'node:crypto'
import { issuerLimitsOf } from './issuer-limits.js'

/** Purposes as object identifiers. */
const clientAuthentication = '1.3.6.1.5.5.7.3.2'
const anyPurpose = '2.5.29.37.0'

const usages = (certificate: X509Certificate): readonly string[] | undefined => certificate.keyUsage
const mayAuthenticateClients = (certificate: X509Certificate): boolean => {
  const allowed = usages(certificate)
  return !allowed?.length || allowed.includes(clientAuthentication) || allowed.includes(anyPurpose)
}
const isSameCertificate = (one: X509Certificate, other: X509Certificate) => one.raw.equals(other.raw)

/** Intermediates that could all have signed each other form a factorial number of chains, so the search is limited. */
const maxSignatureChecks = 100

interface Search {
  readonly authorities: readonly X509Certificate[]
  readonly now: number
  checksLeft: number
}

/**
 * Finds a chain from the client's certificate (the first of `presented`) over the intermediates that it sent to a
 * trusted authority, and returns until when all of it is valid. Throws when there is none. Every certificate of the
 * chain must be valid now and usable for client authentication, and those that sign must be authorities.
 */
export function verifyClientChain(
  presented: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
  now: number,
): { validUntil: number } {
  const [own, ...intermediates] = presented
  if (!own) throw new Error('there is no client certificate')
  if (!isValidAt(own, now)) throw new Error('the client certificate has expired or is not yet valid')
  if (!mayAuthenticateClients(own)) throw new Error('the client certificate is not for client authentication')
  const chain = findChain([own], intermediates, { authorities, now, checksLeft: maxSignatureChecks })
  if (!chain) throw new Error('the client certificate is signed by an unknown authority')
  return { validUntil: Math.min(...chain.map(({ validTo }) => Date.parse(validTo))) }
}

/** Depth first; a chain contains each certificate once. */
function findChain(
  chain: readonly X509Certificate[],
  intermediates: readonly X509Certificate[],
  search: Search,
): readonly X509Certificate[] | undefined {
  if (search.checksLeft <= 0) throw new Error('the client certificate has too many possible issuers')
  const { authorities, now } = search
  const last = chain.at(-1)!
  if (hasUnknownCriticalExtension(last)) return undefined
  if (authorities.some(authority => isSameCertificate(authority, last))) return chain
  const mayFollow = (candidate: X509Certificate) =>
    !chain.some(link => isSameCertificate(link, candidate)) &&
    isIssuer(candidate, last, search) &&
    mayIssue(candidate, chain.length - 1, now)
  const trusted = authorities.find(authority => mayFollow(authority) && !hasUnknownCriticalExtension(authority))
  if (trusted) return [...chain, trusted]
  for (const next of intermediates.filter(mayFollow)) {
    const rest = intermediates.filter(one => one !== next)
    const found = findChain([...chain, next], rest, search)
    if (found) return found
  }
  return undefined
}

/** `authoritiesBelow`: the number of authorities between this one and the client's certificate. */
function mayIssue(certificate: X509Certificate, authoritiesBelow: number, now: number): boolean {
  const { pathLength } = issuerLimitsOf(certificate.raw)
  return (
    certificate.ca &&
    isValidAt(certificate, now) &&
    mayAuthenticateClients(certificate) &&
    (pathLength === undefined || authoritiesBelow <= pathLength)
  )
}

function isIssuer(issuer: X509Certificate, certificate: X509Certificate, search: Search): boolean {
  try {
    if (!certificate.checkIssued(issuer)) return false
    search.checksLeft--
    return certificate.verify(issuer.publicKey)
  } catch {
    // A key or signature of an unknown type proves nothing.
    return false
  }
}

function hasUnknownCriticalExtension({ raw }: X509Certificate): boolean {
  try {
    return issuerLimitsOf(raw).hasUnknownCriticalExtension
  } catch {
    return true
  }
}

const isValidAt = ({ validFrom, validTo }: X509Certificate, now: number): boolean =>
  Date.parse(validFrom) <= now && now <= Date.parse(validTo)
