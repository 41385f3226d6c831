import { createPublicKey, generateKeyPair } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { mastersGroup, type VendorProfile } from 'orch/sdk'
import { type CertificateRequest, type Identity, issueCertificate } from './issue-certificate.js'
import { makePrivateFolder, readIfThere, writePrivateFile } from './private-files.js'
import { servingHosts } from './serving-hosts.js'
import { isUsable } from './stored-identity.js'

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
}

/** The keys and certificates of one data folder. */
export interface Pki {
  readonly authority: Identity
  readonly serving: Identity
  /** A client certificate of the group that may do everything. */
  readonly admin: Identity
  readonly serviceAccountKeyPem: string
  readonly serviceAccountPublicKeyPem: string
  readonly paths: { readonly caCertificate: string; readonly adminCertificate: string; readonly adminKey: string }
  /** Was anything made in this call? */
  readonly isNew: boolean
}

/**
 * Makes what is missing or about to expire in `<dataDir>/pki` and reuses the rest. Another bind address or vendor gets a
 * new serving certificate from the same authority, so clients that trust it go on working.
 */
export async function ensurePki({ dataDir, vendor, bindAddress, now }: PkiRequest): Promise<Pki> {
  const folder = join(dataDir, 'pki')
  makePrivateFolder(folder)
  const made: string[] = []
  const ensure = async (
    name: string,
    request: Omit<CertificateRequest, 'now'>,
    issuer?: Identity,
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
    const issued = await issueCertificate({ ...request, now }, issuer)
    writePrivateFile(paths.key, issued.keyPem)
    writePrivateFile(paths.certificate, issued.certificatePem)
    made.push(name)
    return issued
  }

  const issueAll = async () => {
    const authority = await ensure('ca', {
      commonName: 'data-folder-ca',
      use: 'authority',
      validForMs: authorityValidForMs,
    })
    const validForMs = identityValidForMs
    const hosts = servingHosts(bindAddress, vendor)
    const serving = await ensure(
      'serving',
      { commonName: vendor.apiService, use: 'server', hosts, validForMs },
      authority,
    )
    const commonName = `${vendor.name}-admin`
    const admin = await ensure(
      'admin',
      { commonName, organization: mastersGroup, use: 'client', validForMs },
      authority,
    )
    return { authority, serving, admin }
  }
  const [identities, serviceAccountKeys] = await Promise.all([issueAll(), ensureServiceAccountKey(folder)])

  return {
    ...identities,
    ...serviceAccountKeys,
    paths: {
      caCertificate: join(folder, 'ca.crt'),
      adminCertificate: join(folder, 'admin.crt'),
      adminKey: join(folder, 'admin.key'),
    },
    isNew: made.length > 0,
  }
}

/** An elliptic curve, because such a key is made in a millisecond and an RSA key in hundreds of them. */
async function ensureServiceAccountKey(folder: string) {
  const path = join(folder, 'service-account.key')
  let keyPem = readIfThere(path)
  if (keyPem === undefined) {
    const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })
    keyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    writePrivateFile(path, keyPem)
  }
  const publicKeyPem = createPublicKey(keyPem).export({ type: 'spki', format: 'pem' }) as string
  const publicPath = join(folder, 'service-account.pub')
  if (readIfThere(publicPath) !== publicKeyPem) writePrivateFile(publicPath, publicKeyPem)
  return { serviceAccountKeyPem: keyPem, serviceAccountPublicKeyPem: publicKeyPem }
}
