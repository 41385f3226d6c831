import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { Clock, Logger, Metrics, ServerFacts } from 'orch/sdk'
import { ChangingFiles } from 'orch/sdk/files'

interface Files {
  readonly proxyClientCertFile?: string
  readonly proxyClientKeyFile?: string
}
interface CredentialServices {
  readonly server: ServerFacts
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
}
interface Credentials {
  readonly cert?: string
  readonly key?: string
}

/**
 * The client certificate with which this server authenticates to extension servers, and its key: the files that the operator
 * configured, or those that the server generated in its data folder. They are reloaded when the files change.
 */
export class ProxyCredentials {
  readonly #files: ChangingFiles<Credentials> | undefined

  constructor(
    { proxyClientCertFile: cert, proxyClientKeyFile: key }: Files,
    { server, ...services }: CredentialServices,
  ) {
    if ((cert === undefined) !== (key === undefined))
      throw new Error('--proxy-client-cert-file and --proxy-client-key-file must be given together')
    const { frontProxy } = server
    if (cert === undefined) frontProxy?.use()
    const paths =
      cert !== undefined && key !== undefined
        ? [cert, key]
        : frontProxy && [frontProxy.certificateFile, frontProxy.keyFile]
    this.#files = paths && new ChangingFiles({ what: 'front-proxy certificate', paths, parse, ...services })
  }

  /** Empty in a process without access to the server's data folder. */
  readonly current = (): Credentials => this.#files?.current() ?? {}
}

function parse([cert = '', key = '']: readonly string[]): Credentials {
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    throw new Error('the private key does not match the certificate')
  return { cert, key }
}
