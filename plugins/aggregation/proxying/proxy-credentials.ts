import { createPrivateKey, X509Certificate } from 'node:crypto'
import { ChangingFiles, type Clock, type Logger, type Metrics, type ServerFacts } from 'orch/sdk'

interface Files {
  readonly proxyClientCertFile?: string
  readonly proxyClientKeyFile?: string
}
interface Surroundings {
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
 * The certificate by which extension servers know this server, and its key: as the operator gives them, or as the server made
 * them in its data folder. They are read again when the files change.
 */
export class ProxyCredentials {
  readonly #files: ChangingFiles<Credentials> | undefined

  constructor({ proxyClientCertFile: cert, proxyClientKeyFile: key }: Files, { server, ...given }: Surroundings) {
    if ((cert === undefined) !== (key === undefined))
      throw new Error('--proxy-client-cert-file and --proxy-client-key-file must be given together')
    const { frontProxy } = server
    if (cert === undefined) frontProxy?.use()
    const paths =
      cert !== undefined && key !== undefined
        ? [cert, key]
        : frontProxy && [frontProxy.certificateFile, frontProxy.keyFile]
    this.#files = paths && new ChangingFiles({ what: 'front-proxy certificate', paths, parse, ...given })
  }

  /** None in a process that cannot read the data folder of a server. */
  readonly current = (): Credentials => this.#files?.current() ?? {}
}

function parse([cert = '', key = '']: readonly string[]): Credentials {
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    throw new Error('the key is not that of the certificate')
  return { cert, key }
}
