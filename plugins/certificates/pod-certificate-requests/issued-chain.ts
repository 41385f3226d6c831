import { X509Certificate } from 'node:crypto'
import { type FieldError, invalidValue, requiredValue, tooLong } from 'orch/sdk'
import { pemBlocks } from '../signing/pem-blocks.js'
import { requestedKey } from './requested-key.js'
import type { PodCertificateRequest } from './schema.js'

const path = 'status.certificateChain'
const maxChainBytes = 100 * 1024
const minuteMs = 60_000
const clockSkewMs = 5 * minuteMs
const refreshMarginMs = 10 * minuteMs
const minLifetimeMs = 60 * minuteMs

/**
 * The issued certificate must be for the requested key, and the times in the status must be those of the certificate.
 */
export async function validateIssued({ spec, status }: PodCertificateRequest, now: number): Promise<FieldError[]> {
  const { certificateChain = '' } = status
  if (Buffer.byteLength(certificateChain) > maxChainBytes) return [tooLong(path, maxChainBytes)]
  const chain = readChain(certificateChain)
  if (typeof chain === 'string') return [invalidValue(path, certificateChain, chain)]
  const [leaf] = chain
  if (!leaf.publicKey.equals(await requestedKey(spec)))
    return [invalidValue(path, certificateChain, 'leaf certificate was not issued to the requested public key')]
  return validateTimes(status, leaf, spec.maxExpirationSeconds ?? 0, now)
}

/** The certificates, or the problem as a string. */
function readChain(text: string): [X509Certificate, ...X509Certificate[]] | string {
  const blocks = pemBlocks(text)
  if (blocks.length === 0) return 'issued certificate chain must contain at least one certificate'
  if (blocks.some(({ label }) => label !== 'CERTIFICATE'))
    return 'issued certificate chain must consist entirely of CERTIFICATE PEM blocks'
  const chain: X509Certificate[] = []
  for (const { bytes } of blocks)
    try {
      chain.push(new X509Certificate(bytes))
    } catch {
      return `${chain.length === 0 ? 'leaf' : 'intermediate'} certificate does not parse as valid X.509`
    }
  return chain as [X509Certificate, ...X509Certificate[]]
}

type Times = Pick<PodCertificateRequest['status'], 'notBefore' | 'notAfter' | 'beginRefreshAt'>
function validateTimes(times: Times, leaf: X509Certificate, maxSeconds: number, now: number): FieldError[] {
  const consistent = 'must be present and consistent with the issued certificate'
  const { notBefore, notAfter, beginRefreshAt } = times
  const missing = [
    ...(notBefore ? [] : [requiredValue('status.notBefore', consistent)]),
    ...(notAfter ? [] : [requiredValue('status.notAfter', consistent)]),
    ...(beginRefreshAt
      ? []
      : [requiredValue('status.beginRefreshAt', 'must be present and in the range [notbefore+10min, notafter-10min]')]),
  ]
  if (!notBefore || !notAfter || !beginRefreshAt) return missing
  const [start, end, refresh] = [Date.parse(notBefore), Date.parse(notAfter), Date.parse(beginRefreshAt)]
  const wrong = (field: string, value: string, detail: string) => [invalidValue(field, value, detail)]
  if (start !== Date.parse(leaf.validFrom))
    return wrong('status.notBefore', notBefore, 'must be set to the NotBefore time encoded in the leaf certificate')
  if (Math.abs(start - now) >= clockSkewMs)
    return wrong('status.notBefore', notBefore, "must be set to within 5 minutes of the server's current time")
  if (end !== Date.parse(leaf.validTo))
    return wrong('status.notAfter', notAfter, 'must be set to the NotAfter time encoded in the leaf certificate')
  const life = end - start
  if (life < minLifetimeMs) return wrong(path, `${life / 1000}s`, 'leaf certificate lifetime must be >= 1 hour')
  if (life > maxSeconds * 1000)
    return wrong(
      path,
      `${life / 1000}s`,
      `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${maxSeconds})`,
    )
  if (refresh < start + refreshMarginMs)
    return wrong('status.beginRefreshAt', beginRefreshAt, 'must be at least 10 minutes after status.notBefore')
  return refresh > end - refreshMarginMs
    ? wrong('status.beginRefreshAt', beginRefreshAt, 'must be at least 10 minutes before status.notAfter')
    : []
}
