import { X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import type { ServerFacts } from 'orch/sdk'
import { pemBlocks } from 'orch/sdk/files'
import { FolderFrontProxy, frontProxyFiles } from './front-proxy.js'
import { readIfThere } from './private-files.js'

export type FoundKeys = Omit<ServerFacts, 'baseUrl' | 'dataDir'>

/**
 * The keys of a server, if this process may read its data folder and the client config trusts the CA of that folder: what the keys
 * of another server sign would not be accepted.
 */
export function findKeys(dataDir: string, trustedPem: string | undefined): FoundKeys | undefined {
  const read = (name: string) => readIfThere(join(dataDir, 'pki', name))
  try {
    const caCertificatePem = read('ca.crt')
    const trusted = fingerprints(trustedPem ?? '')
    // A client config from before the CA was rotated trusts one of the older ones.
    if (caCertificatePem === undefined || !fingerprints(caCertificatePem).some(each => trusted.includes(each)))
      return undefined
    return {
      caCertificatePem,
      caKeyPem: read('ca.key'),
      servingKeyPem: read('serving.key'),
      serviceAccountKeyPem: read('service-account.key'),
      frontProxy: read(`${frontProxyFiles.client}.key`) === undefined ? undefined : new FolderFrontProxy(dataDir),
    }
  } catch {
    // A folder that cannot be read, or that contains something else, counts as missing.
    return undefined
  }
}

const fingerprints = (pem: string): (string | undefined)[] =>
  pemBlocks(pem)
    .filter(({ label }) => label === 'CERTIFICATE')
    .map(({ text }) => new X509Certificate(text).fingerprint256)
