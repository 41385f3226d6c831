import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ServerFacts, VendorProfile } from 'orch/sdk'
import type { KernelOptions } from '../options/kernel-options.js'
import { ensurePki, type Pki } from './ensure-pki.js'
import { FolderFrontProxy } from './front-proxy.js'
import { serviceAccountKey } from './service-account-key.js'

/** The certificates and keys of a server: configured by the operator, or generated in the data folder. */
export interface ServerIdentity {
  readonly serving: { readonly certificatePem: string; readonly keyPem: string }
  readonly pki: Pki
  readonly facts: Omit<ServerFacts, 'baseUrl'>
}

export async function serverIdentity(
  options: KernelOptions,
  vendor: VendorProfile,
  now: number,
  isUsed = false,
): Promise<ServerIdentity> {
  const dataDir = resolve(options.dataDir)
  const pki = await ensurePki({ dataDir, vendor, bindAddress: options.bindAddress, now, isUsed })
  const given = options.tlsCertFile !== undefined && options.tlsPrivateKeyFile !== undefined
  const serving = given
    ? {
        certificatePem: readFileSync(options.tlsCertFile!, 'utf8'),
        keyPem: readFileSync(options.tlsPrivateKeyFile!, 'utf8'),
      }
    : pki.serving
  return {
    serving,
    pki,
    facts: {
      dataDir,
      caCertificatePem: pki.trustedPem,
      caKeyPem: pki.authority.keyPem,
      servingKeyPem: serving.keyPem,
      serviceAccountKeyPem: await serviceAccountKey(dataDir, serving.keyPem),
      frontProxy: new FolderFrontProxy(dataDir),
    },
  }
}
