import type { VendorProfile } from 'orch/sdk'

export interface ServingFacts {
  readonly vendor: VendorProfile
  /** Address of the server, such as `https://127.0.0.1:6443`. */
  readonly baseUrl: string
  readonly clientConfigPath: string
  /** Files of the administrator's credentials. */
  readonly paths: { readonly caCertificate: string; readonly adminCertificate: string; readonly adminKey: string }
  readonly tls: boolean
  /** The command for the client of this package, if it is the one that the vendor names. */
  readonly ownClient?: string | undefined
  /** Lines of plugins. */
  readonly notices?: readonly string[]
}

/** The message after the start: the address of the server, its credentials, and three commands to try. */
export function servingBanner(facts: ServingFacts): string {
  const { vendor, baseUrl, clientConfigPath, paths, tls, ownClient, notices = [] } = facts
  const client = `${vendor.env.clientConfig}=${quoted(clientConfigPath)} ${ownClient ?? vendor.cli}`
  const credentials = `--cacert ${quoted(paths.caCertificate)} --cert ${quoted(paths.adminCertificate)} --key ${quoted(paths.adminKey)} `
  return `Serving at ${baseUrl}
Client config: ${clientConfigPath}
${notices.map(line => `${line}\n`).join('')}Try:
  ${client} api-resources
  ${client} get --raw '/readyz?verbose'
  curl ${tls ? credentials : ''}${baseUrl}/version
`
}

/** Quotes a path for a shell if it has special characters. */
export const quoted = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
