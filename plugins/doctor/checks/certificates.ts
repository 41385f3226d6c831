import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pemBlocks } from 'orch/sdk'
import { type Finding, fine, warning, wrong } from '../finding.js'

const dayMs = 24 * 3_600_000
/** Servers renew what they made themselves this long before its end. */
const soonDays = 30

/** What to do about a certificate that has ended, or will soon. */
export interface CertificateOwner {
  readonly remedy: string
  /** A server replaces it by itself, in time, unless none runs. */
  readonly renewsItself: boolean
}

/** Every certificate of a PEM text: is it valid now, and for how long? */
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
      `${what} is not valid before ${new Date(from).toISOString()}`,
      'Set the clock of this machine, or wait',
    )
  if (now >= until) {
    const ended = `${what} expired on ${new Date(until).toISOString()}`
    return owner.renewsItself ? warning(ended, owner.remedy) : wrong(ended, owner.remedy)
  }
  if (days < soonDays && !owner.renewsItself) return warning(`${what} expires in ${days} days`, owner.remedy)
  return fine(`${what} is valid for ${days} days`)
}

/** Does the key belong to the certificate? Nothing is said when it does. */
export function checkPair(certificatePath: string, keyPath: string, remedy: string): Finding[] {
  try {
    const certificate = new X509Certificate(readFileSync(certificatePath))
    if (certificate.checkPrivateKey(createPrivateKey(readFileSync(keyPath)))) return []
    return [wrong(`${keyPath} is not the key of ${certificatePath}`, remedy)]
  } catch (error) {
    return [wrong(`${certificatePath} and ${keyPath} cannot be used: ${(error as Error).message}`, remedy)]
  }
}

/** Those that a server made in its data folder. */
export function checkOwnCertificates(dataDir: string, now: number): Finding[] {
  const at = (name: string) => join(dataDir, 'pki', name)
  if (!existsSync(at('ca.crt')))
    return existsSync(at('ca.key')) || existsSync(at('serving.crt'))
      ? [wrong(`${at('ca.crt')} is gone`, 'Bring it back from a backup, or make a new authority: orch certs rotate-ca')]
      : []
  const authority = {
    remedy: 'Make a new authority: orch certs rotate-ca; clients have to get it',
    renewsItself: false,
  }
  const identity = { remedy: 'The next start makes a new one, or: orch certs renew', renewsItself: true }
  const ofIdentity = (name: string) => {
    const [certificate, key] = [at(`${name}.crt`), at(`${name}.key`)]
    if (!existsSync(certificate)) return []
    return [
      ...checkFile(certificate, identity, now),
      ...checkPair(certificate, key, identity.remedy),
      ...checkIssuer(certificate, at('ca.crt'), identity.remedy),
    ]
  }
  return [
    ...checkFile(at('ca.crt'), authority, now),
    ...checkPair(at('ca.crt'), at('ca.key'), authority.remedy),
    ...['serving', 'admin'].flatMap(ofIdentity),
  ]
}

const checkFile = (path: string, owner: CertificateOwner, now: number): Finding[] => {
  try {
    const findings = checkCertificates(path, readFileSync(path, 'utf8'), owner, now)
    return findings.length > 0 ? findings : [wrong(`${path} holds no certificate`, owner.remedy)]
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
    // That one of them cannot be read has been said.
    return []
  }
}
