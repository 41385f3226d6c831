import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pemBlocks } from 'orch/sdk/files'
import { type Finding, fine, warning, wrong } from '../finding.js'

const dayMs = 24 * 3_600_000
const iso = (time: number): string => new Date(time).toISOString()
/** Servers renew their own certificates this long before they expire. */
const soonDays = 30
/** A new CA must be distributed to all clients, which takes time. */
const authoritySoonDays = 90

/** The remedies for a certificate that has expired, or will soon. */
export interface CertificateOwner {
  readonly remedy: string
  /** The remedy after it has expired, if a backup of it would not help. */
  readonly remedyAfterEnd?: string
  /** Whether a running server renews it in time. */
  readonly renewsItself: boolean
  /** The remedy before it expires, if that differs. */
  readonly remedyInTime?: string
  readonly soonDays?: number
}

/** Checks the validity of every certificate in PEM. */
export function checkCertificates(path: string, pem: string, owner: CertificateOwner, now: number): Finding[] {
  const blocks = pemBlocks(pem).filter(({ label }) => label === 'CERTIFICATE')
  return blocks.map(({ text }, at) => {
    const what = blocks.length === 1 ? path : `certificate ${at + 1} in ${path}`
    try {
      return checkTimes(what, new X509Certificate(text), owner, now)
    } catch (error) {
      return wrong(`${what} cannot be read: ${(error as Error).message}`, owner.remedy)
    }
  })
}

function checkTimes(what: string, certificate: X509Certificate, owner: CertificateOwner, now: number): Finding {
  const [from, until] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
  const days = Math.floor((until - now) / dayMs)
  if (now < from)
    return wrong(
      `${what} is not valid before ${iso(from)}, and it is ${iso(now)} here`,
      `Set the clock of this machine. If it was wrong when the certificate was made: ${owner.remedyAfterEnd ?? owner.remedy}`,
    )
  if (now >= until) {
    const ended = `${what} expired on ${iso(until)}, and it is ${iso(now)} here`
    return owner.renewsItself ? warning(ended, owner.remedy) : wrong(ended, owner.remedyAfterEnd ?? owner.remedy)
  }
  if (days < (owner.soonDays ?? soonDays) && !owner.renewsItself)
    return warning(`${what} expires in ${days} days`, owner.remedyInTime ?? owner.remedy)
  return fine(`${what} is valid for ${days} days`)
}

/** Checks that the key belongs to the certificate. */
export function checkPair(certificatePath: string, keyPath: string, remedy: string): Finding[] {
  try {
    const certificate = new X509Certificate(readFileSync(certificatePath))
    if (certificate.checkPrivateKey(createPrivateKey(readFileSync(keyPath)))) return []
    return [wrong(`${keyPath} is not the key of ${certificatePath}`, remedy)]
  } catch (error) {
    return [wrong(`${certificatePath} and ${keyPath} cannot be used: ${(error as Error).message}`, remedy)]
  }
}

/** Checks the certificates that a server created in its data folder. */
export function checkOwnCertificates(dataDir: string, now: number): Finding[] {
  const at = (name: string) => join(dataDir, 'pki', name)
  // Until then, some files are new and others old.
  if (existsSync(at('replacing')))
    return [
      warning(
        `orch certs was interrupted in ${at('replacing')}`,
        'The next start, or the same command again, finishes it',
      ),
    ]
  const newCa = 'create a new CA, which every client config must then trust: orch certs new-ca'
  const restoreOrReplace = `Restore it from a backup of the folder, or ${newCa}`
  if (!existsSync(at('ca.crt')))
    return existsSync(at('ca.key')) || existsSync(at('serving.crt'))
      ? [wrong(`${at('ca.crt')} is gone`, restoreOrReplace)]
      : []
  const authority = {
    remedy: restoreOrReplace,
    remedyAfterEnd: `If the clock of this machine is right, ${newCa}`,
    remedyInTime: 'Create a new one in time, after which old and new clients work: orch certs rotate-ca',
    renewsItself: false,
    soonDays: authoritySoonDays,
  }
  const identity = { remedy: 'The next start makes a new one, or: orch certs renew', renewsItself: true }
  const newServingKey =
    'Bring the key back from a copy of the folder, or make a new one, which ends tokens that it signed: orch certs new-serving-key'
  const ofIdentity = (name: string, authorityFile = 'ca.crt', keyRemedy = identity.remedy) => {
    const [certificate, key] = [at(`${name}.crt`), at(`${name}.key`)]
    if (!existsSync(certificate)) return []
    return [
      ...checkFile(certificate, identity, now),
      ...checkPair(certificate, key, keyRemedy),
      ...checkIssuer(certificate, at(authorityFile), identity.remedy),
    ]
  }
  return [
    ...checkAuthorities(at('ca.crt'), authority, now),
    ...checkPair(at('ca.crt'), at('ca.key'), authority.remedy),
    ...ofIdentity('serving', 'ca.crt', newServingKey),
    ...ofIdentity('admin'),
    ...ofIdentity('front-proxy-client', 'front-proxy-ca.crt'),
  ]
}

/** The first one signs; after a rotation older ones follow, whose expiry only matters to clients that still use them. */
function checkAuthorities(path: string, owner: CertificateOwner, now: number): Finding[] {
  const [first, ...older] = checkFile(path, owner, now)
  if (older.length === 0) return first ? [first] : []
  const count = older.length === 1 ? 'an older authority' : `${older.length} older authorities`
  return [
    ...(first ? [first] : []),
    warning(`${path} still trusts ${count}`, 'When all clients know the new one: orch certs retire-old-ca'),
  ]
}

const checkFile = (path: string, owner: CertificateOwner, now: number): Finding[] => {
  try {
    const findings = checkCertificates(path, readFileSync(path, 'utf8'), owner, now)
    return findings.length > 0 ? findings : [wrong(`${path} contains no certificate`, owner.remedy)]
  } catch (error) {
    return [wrong(`${path} cannot be read: ${(error as Error).message}`, owner.remedy)]
  }
}

function checkIssuer(path: string, authorityPath: string, remedy: string): Finding[] {
  try {
    const authority = new X509Certificate(readFileSync(authorityPath))
    if (new X509Certificate(readFileSync(path)).verify(authority.publicKey)) return []
    return [warning(`${path} was not signed by ${authorityPath}`, remedy)]
  } catch {
    // Unreadable files are reported by the other checks.
    return []
  }
}
