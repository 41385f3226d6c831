import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP, isIPv4 } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { mastersGroup, type VendorProfile } from 'orch/sdk'
import { frontProxyFiles } from './front-proxy.js'
import { type CertificateRequest, type Identity, issueCertificate } from './issue-certificate.js'
import { checkServingKey, keptAuthority } from './kept-keys.js'
import { makePrivateFolder, readIfThere, writePrivateFile } from './private-files.js'

/** What a stored identity must still satisfy to be used again. */
interface Expectation {
  readonly commonName: string
  readonly hosts?: readonly string[]
  readonly issuerCertificatePem?: string
  /** Milliseconds since the epoch at which it must still be valid. */
  readonly validUntil: number
}

/** Is this a key of the kind that is made here? */
function isOwnKey(keyPem: string): boolean {
  try {
    return createPrivateKey(keyPem).asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}

/** Can this identity be used, or must it be made anew? Needs no library but node's own. */
function isUsable({ certificatePem, keyPem }: Identity, expected: Expectation): boolean {
  try {
    const certificate = new X509Certificate(certificatePem)
    if (!certificate.checkPrivateKey(createPrivateKey(keyPem))) return false
    if (Date.parse(certificate.validTo) < expected.validUntil) return false
    if (!certificate.subject.split('\n').includes(`CN=${expected.commonName}`)) return false
    const isServedHost = (host: string) =>
      (isAddress(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined
    if (!(expected.hosts ?? []).every(isServedHost)) return false
    if (expected.issuerCertificatePem === undefined) return true
    return certificate.verify(new X509Certificate(expected.issuerCertificatePem).publicKey)
  } catch {
    // Unreadable is as good as absent: it is made anew.
    return false
  }
}

/** Of hosts that are names or addresses: Node's expression for addresses takes long to be made. */
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

/** A wildcard address is reached at each address of this machine. */
function reachableAt(bindAddress: string): string[] {
  if (bindAddress !== '0.0.0.0' && bindAddress !== '::') return [bindAddress]
  const addresses = Object.values(networkInterfaces()).flatMap(list => (list ?? []).map(entry => entry.address))
  // Link-local addresses carry a zone that no certificate can name.
  return [hostname(), ...addresses.filter(address => isIP(address) !== 0 && !address.startsWith('fe80:'))]
}

const dayMs = 24 * 3_600_000
const authorityValidForMs = 3650 * dayMs
const identityValidForMs = 365 * dayMs
/** Made anew this long before the end, so that a server that runs for weeks never serves an expired certificate. */
const renewBeforeMs = 30 * dayMs

export interface PkiRequest {
  readonly dataDir: string
  readonly vendor: VendorProfile
  readonly bindAddress: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Has a server been started in this folder before? Then it has an authority, or had one. */
  readonly isUsed?: boolean
}

/** The keys and certificates of one data folder. */
export interface Pki {
  readonly authority: Identity
  readonly serving: Identity
  /** A client certificate of the group that may do everything. */
  readonly admin: Identity
  readonly paths: { readonly caCertificate: string; readonly adminCertificate: string; readonly adminKey: string }
  /** Was anything made in this call? */
  readonly isNew: boolean
}

/**
 * Makes what is missing or about to expire in `<dataDir>/pki` and reuses the rest. Another bind address or vendor gets a
 * new serving certificate from the same authority, so clients that trust it go on working. An authority or a serving key that is
 * gone is not made anew: see kept-keys.
 */
export async function ensurePki({ dataDir, vendor, bindAddress, now, isUsed = false }: PkiRequest): Promise<Pki> {
  const folder = join(dataDir, 'pki')
  makePrivateFolder(folder)
  const made: string[] = []
  const ensure = async (
    name: string,
    request: Omit<CertificateRequest, 'now'>,
    issuer?: Identity,
    keepsKey = false,
  ): Promise<Identity> => {
    const paths = { certificate: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) }
    const stored = { certificatePem: readIfThere(paths.certificate) ?? '', keyPem: readIfThere(paths.key) ?? '' }
    const usable = isUsable(stored, {
      commonName: request.commonName,
      hosts: request.hosts ?? [],
      ...(issuer ? { issuerCertificatePem: issuer.certificatePem } : {}),
      validUntil: now + renewBeforeMs,
    })
    if (usable) return stored
    const keyPem = keepsKey && isOwnKey(stored.keyPem) ? stored.keyPem : undefined
    const issued = await issueCertificate({ ...request, keyPem, now }, issuer)
    writePrivateFile(paths.key, issued.keyPem)
    writePrivateFile(paths.certificate, issued.certificatePem)
    made.push(name)
    return issued
  }

  const newAuthority = { commonName: 'data-folder-ca', use: 'authority', validForMs: authorityValidForMs } as const
  const authority = keptAuthority(folder, isUsed, now) ?? (await ensure('ca', newAuthority))
  checkServingKey(folder)
  const validForMs = identityValidForMs
  const hosts = servingHosts(bindAddress, vendor)
  // It signs tokens, too, which must outlive a renewal.
  const keepsKey = true
  const serving = await ensure(
    'serving',
    { commonName: vendor.apiService, use: 'server', hosts, validForMs },
    authority,
    keepsKey,
  )
  const commonName = `${vendor.name}-admin`
  const admin = await ensure(
    'admin',
    { commonName, organizations: [mastersGroup], use: 'client', validForMs },
    authority,
  )

  // Another authority than that of clients: none of them can be taken for this server.
  const { authority: proxyAuthority, client: proxyClient } = frontProxyFiles
  const newProxyAuthority = { ...newAuthority, commonName: proxyAuthority }
  await ensure(
    proxyClient,
    { commonName: proxyClient, use: 'client', validForMs },
    await ensure(proxyAuthority, newProxyAuthority),
  )

  return {
    authority,
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
