import { join } from 'node:path'
import type { VendorProfile } from 'orch/sdk'
import type { Identity } from './issue-certificate.js'
import { readIfThere, writePrivateFile } from './private-files.js'

export interface ClientConfigRequest {
  readonly dataDir: string
  readonly vendor: VendorProfile
  /** Address of the server, such as `https://127.0.0.1:6443`. */
  readonly server: string
  /** PEM of the CA that signed the serving certificate; undefined without TLS. */
  readonly caCertificatePem: string | undefined
  readonly admin: Identity
}

/** Writes the administrator's client config, once the address is known, and returns its path. */
export function writeClientConfig(request: ClientConfigRequest): string {
  const path = join(request.dataDir, 'admin.conf')
  const text = clientConfig(request)
  if (readIfThere(path) !== text) writePrivateFile(path, text)
  return path
}

/** Written without a YAML library, which would take longer to load than these few lines; JSON strings are YAML strings. */
function clientConfig({ vendor, server, caCertificatePem, admin }: ClientConfigRequest): string {
  const cluster = JSON.stringify(vendor.name)
  const user = JSON.stringify(`${vendor.name}-admin`)
  const context = JSON.stringify(`${vendor.name}-admin@${vendor.name}`)
  const encoded = (pem: string) => Buffer.from(pem).toString('base64')
  return `apiVersion: v1
kind: Config
clusters:
- name: ${cluster}
  cluster:
    server: ${JSON.stringify(server)}
${caCertificatePem === undefined ? '' : `    certificate-authority-data: ${encoded(caCertificatePem)}\n`}users:
- name: ${user}
  user:
    client-certificate-data: ${encoded(admin.certificatePem)}
    client-key-data: ${encoded(admin.keyPem)}
contexts:
- name: ${context}
  context:
    cluster: ${cluster}
    user: ${user}
current-context: ${context}
`
}
