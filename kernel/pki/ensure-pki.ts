import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP, isIPv4 } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { VendorProfile } from 'orch/sdk'
import { mastersGroup } from 'orch/sdk/identity'
import { frontProxyFiles } from './front-proxy.js'
import { type CertificateRequest, type Identity, issueCertificate } from './issue-certificate.js'
import { checkServingKey, keptAuthority } from './kept-keys.js'
import { makePrivateFolder, readIfThere, writePrivateFile } from './private-files.js'
import { finishReplacement } from './replace-files.js'
import { authorityName, chainFile, chainOf, firstCertificate } from './rotated-authority.js'

/** The conditions under which a stored identity is reused. */
interface Expectation {
  readonly commonName: string
  readonly hosts?: readonly string[]
  readonly issuerCertificatePem?: string
  /** The chain that follows the certificate in its file. */
  readonly chainPem?: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Whether the key is of the type that is generated here. */
function isOwnKey(keyPem: string): boolean {
  try {
    return createPrivateKey(keyPem).asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}

/** Whether the identity can be reused. Uses only Node's own library. */
function isUsable({ certificatePem, keyPem }: Identity, expected: Expectation): boolean {
  try {
    const certificate = new X509Certificate(certificatePem)
    if (!certificate.checkPrivateKey(createPrivateKey(keyPem))) return false
    if (Date.parse(certificate.validTo) < expected.now + renewBeforeMs) return false
    if (!certificate.subject.split('\n').includes(`CN=${expected.commonName}`)) return false
    const isServedHost = (host: string) =>
      (isAddress(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined
    if (!(expected.hosts ?? []).every(isServedHost)) return false
    if (!certificatePem.endsWith(expected.chainPem ?? '')) return false
    if (expected.issuerCertificatePem === undefined) return true
    const issuer = new X509Certificate(expected.issuerCertificatePem)
    // Issued while the clock was ahead. If even the CA is of the future, it is now that the clock is wrong.
    if (Date.parse(certificate.validFrom) > expected.now && Date.parse(issuer.validFrom) <= expected.now) return false
    return certificate.verify(issuer.publicKey)
  } catch {
    // An unreadable identity is replaced like a missing one.
    return false
  }
}

/** Distinguishes addresses from names without `isIP`, whose regular expression is slow to compile. */
const isAddress = (host: string): boolean => host.includes(':') || isIPv4(host)

/** Every name and address the serving certificate must be valid for. */
function servingHosts(bindAddress: string, profile: VendorProfile): string[] {
  const service = profile.apiService
  return [
    ...new Set([
      'localhost',
      '127.0.0.1',
      '::1',
      ...reachableAt(bindAddress),
      service,
      `${service}.default`,
      `${service}.default.svc`,
    ]),
  ]
}

/** A wildcard address means all addresses of this machine. */
function reachableAt(bindAddress: string): string[] {
  if (bindAddress !== '0.0.0.0' && bindAddress !== '::') return [bindAddress]
  const addresses = Object.values(networkInterfaces()).flatMap(list => (list ?? []).map(entry => entry.address))
  // Link-local addresses have a zone, which certificates cannot contain.
  return [hostname(), ...addresses.filter(address => isIP(address) !== 0 && !address.startsWith('fe80:'))]
}

const dayMs = 24 * 3_600_000
/** How long a new CA is valid. */
export const authorityValidForMs = 3650 * dayMs
const identityValidForMs = 365 * dayMs
/** Certificates are renewed this long before they expire. */
const renewBeforeMs = 30 * dayMs

export interface PkiRequest {
  readonly dataDir: string
  readonly vendor: VendorProfile
  readonly bindAddress: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Whether a server has been started in this folder before, so that it must have a CA. */
  readonly isUsed?: boolean
  /** Called with the name of each certificate that is issued. */
  onIssued?(name: string): void
}

/** The keys and certificates of one data folder. */
export interface Pki {
  /** The CA that signs. */
  readonly authority: Identity
  /** PEM of every CA whose certificates are accepted: the one that signs, and its predecessors. */
  readonly trustedPem: string
  readonly serving: Identity
  /** A client certificate of the group system:masters. */
  readonly admin: Identity
  readonly paths: { readonly caCertificate: string; readonly adminCertificate: string; readonly adminKey: string }
  /** Whether this call created anything. */
  readonly isNew: boolean
}

/**
 * Creates missing files in `<dataDir>/pki`, renews those that are about to expire and reuses the rest. Another bind address or vendor
 * gets a new serving certificate from the same CA, so that clients keep trusting it. A missing CA or serving key is not replaced: see
 * kept-keys.ts.
 */
export async function ensurePki(request: PkiRequest): Promise<Pki> {
  const { dataDir, vendor, bindAddress, now, isUsed = false } = request
  const folder = join(dataDir, 'pki')
  makePrivateFolder(folder)
  finishReplacement(folder)
  const made: string[] = []
  const ensure = async (
    name: string,
    wanted: Omit<CertificateRequest, 'now'>,
    issuer?: Identity,
    { keepsKey = false, chainPem = '' } = {},
  ): Promise<Identity> => {
    const paths = { certificate: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) }
    const stored = { certificatePem: readIfThere(paths.certificate) ?? '', keyPem: readIfThere(paths.key) ?? '' }
    const usable = isUsable(stored, {
      commonName: wanted.commonName,
      hosts: wanted.hosts ?? [],
      ...(issuer ? { issuerCertificatePem: issuer.certificatePem } : {}),
      chainPem,
      now,
    })
    if (usable) return stored
    const keyPem = keepsKey && isOwnKey(stored.keyPem) ? stored.keyPem : undefined
    const leaf = await issueCertificate({ ...wanted, keyPem, now }, issuer)
    const issued = { ...leaf, certificatePem: `${leaf.certificatePem}${chainPem}` }
    writePrivateFile(paths.key, issued.keyPem)
    writePrivateFile(paths.certificate, issued.certificatePem)
    made.push(name)
    request.onIssued?.(name)
    return issued
  }

  const newAuthority = { commonName: authorityName, use: 'authority', validForMs: authorityValidForMs } as const
  const kept = keptAuthority(folder, isUsed, now) ?? (await ensure('ca', newAuthority))
  const authority = { ...kept, certificatePem: firstCertificate(kept.certificatePem) }
  checkServingKey(folder)
  const validForMs = identityValidForMs
  const hosts = servingHosts(bindAddress, vendor)
  // The key is retained, because it also signs tokens, which must outlive a renewal.
  const keepsKey = true
  const chainPem = chainOf(readIfThere(join(folder, chainFile)), authority.certificatePem, now)
  const serving = await ensure(
    'serving',
    { commonName: vendor.apiService, use: 'server', hosts, validForMs },
    authority,
    { keepsKey, chainPem },
  )
  const commonName = `${vendor.name}-admin`
  const admin = await ensure(
    'admin',
    { commonName, organizations: [mastersGroup], use: 'client', validForMs },
    authority,
  )

  // A CA separate from that of clients, so that no client can impersonate this server.
  const { authority: proxyAuthority, client: proxyClient } = frontProxyFiles
  const newProxyAuthority = { ...newAuthority, commonName: proxyAuthority }
  await ensure(
    proxyClient,
    { commonName: proxyClient, use: 'client', validForMs },
    await ensure(proxyAuthority, newProxyAuthority),
  )

  return {
    authority,
    trustedPem: kept.certificatePem,
    serving,
    admin,
    paths: {
      caCertificate: join(folder, 'ca.crt'),
      adminCertificate: join(folder, 'admin.crt'),
      adminKey: join(folder, 'admin.key'),
    },
    isNew: made.length > 0,
  }
}
