import type { Dispatcher } from 'undici'
import { withoutTrailing } from '../files/text-scanning.js'
import type { TransportRequest, TransportResponse } from './client.js'
import type { ClosableTransport } from './create-client.js'
import {
  type Credential,
  type CredentialSource,
  credentialHeaders,
  fixedCredential,
  type Impersonation,
  impersonationHeaders,
} from './credentials.js'
import { ConnectionError } from './error-answers.js'
import { loadUndici } from './load-undici.js'
import { isTlsError, isUnknownIssuer, trustedNames } from './tls-failures.js'

/** How to reach a server, and with which credentials. */
export interface HttpTransportConfig {
  /** `https://host:port`, optionally with a prefix for all paths. */
  readonly server: string
  /** PEM of the authorities that may have signed the server's certificate; those of the system by default. */
  readonly caPem?: string
  /** The name in the server's certificate, if it differs from the host of `server`. */
  readonly serverName?: string
  /** Accept any certificate. For experiments only. */
  readonly skipTlsVerify?: boolean
  readonly credentials?: Credential | CredentialSource
  readonly impersonate?: Impersonation
  /** The URL of an http or https proxy. */
  readonly proxyUrl?: string
}

/**
 * TLS options that trust these certificates and no others, serving certificates as well as authorities: a bundle with the
 * server's own certificate is common. (Node before 20.18 trusts only authorities.)
 */
export const trustOnly = (caPem: string | undefined): { ca?: string; allowPartialTrustChain?: boolean } =>
  caPem === undefined ? {} : { ca: caPem, allowPartialTrustChain: true }

/** How long idle connections are kept, unless the server states how long it keeps them. */
const idleConnectionMs = 10_000

/** Requests over HTTP with pooled connections. Close it when done. */
export function httpTransport(config: HttpTransportConfig): ClosableTransport {
  const base = new URL(config.server)
  const prefix = withoutTrailing(base.pathname, '/')
  const { credentials = {} } = config
  const source = 'current' in credentials ? credentials : fixedCredential(credentials)
  const connections = new Connections(config)

  const attempt = async (request: TransportRequest, credential: Credential): Promise<Dispatcher.ResponseData> => {
    try {
      // The path is sent unchanged: a URL object would resolve `..` in it.
      return await connections.with(credential).request({
        origin: base.origin,
        path: prefix + request.path,
        method: request.method as Dispatcher.HttpMethod,
        headers: { ...request.headers, ...credentialHeaders(credential), ...impersonationHeaders(config.impersonate) },
        body: request.body ?? null,
        signal: request.signal ?? null,
      })
    } catch (error) {
      throw asConnectionError(error, request, config)
    }
  }
  const send = async (request: TransportRequest): Promise<TransportResponse> => {
    request.signal?.throwIfAborted()
    const credential = await source.current()
    let response = await attempt(request, credential)
    // A request that got a 401 was not executed, so it may be sent again whatever its method.
    if (response.statusCode === 401 && (await source.refused(credential))) {
      await response.body.dump()
      response = await attempt(request, await source.current())
    }
    return { status: response.statusCode, headers: response.headers, body: bodyOf(response, request, config) }
  }
  return Object.assign(send, { close: () => connections.close() })
}

async function* bodyOf(
  response: Dispatcher.ResponseData,
  request: TransportRequest,
  config: HttpTransportConfig,
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of response.body) yield chunk as Buffer
  } catch (error) {
    throw asConnectionError(error, request, config)
  }
}

function asConnectionError(error: unknown, { signal }: TransportRequest, config: HttpTransportConfig): unknown {
  if (signal?.aborted) return signal.reason
  const { message, code = '' } = error as { message?: string; code?: string }
  const isTlsFailure = isTlsError(code)
  const trusted = isUnknownIssuer(code) ? `; trusted here: ${trustedNames(config.caPem)}` : ''
  const { origin } = new URL(config.server)
  const what = `cannot reach ${origin}: ${message || code || 'connection lost'}${trusted}`
  return new ConnectionError(what, { cause: error, isTlsFailure })
}

/** Connections are bound to a client certificate: another certificate needs another handshake. */
class Connections {
  readonly #config: HttpTransportConfig
  #dispatcher: Dispatcher | undefined
  #certificate = ''
  readonly #retiring = new Set<Dispatcher>()
  #isClosed = false
  constructor(config: HttpTransportConfig) {
    this.#config = config
  }
  with({ clientCertificatePem = '', clientKeyPem = '' }: Credential): Dispatcher {
    if (this.#isClosed) throw new Error('the client is closed')
    const certificate = `${clientCertificatePem}\n${clientKeyPem}`
    if (this.#dispatcher === undefined || certificate !== this.#certificate) {
      if (this.#dispatcher) this.#retire(this.#dispatcher)
      this.#dispatcher = this.#open(clientCertificatePem, clientKeyPem)
      this.#certificate = certificate
    }
    return this.#dispatcher
  }
  async close(): Promise<void> {
    this.#isClosed = true
    const open = [...this.#retiring, ...(this.#dispatcher ? [this.#dispatcher] : [])]
    this.#dispatcher = undefined
    // Destroy and not close: watches never end by themselves.
    await Promise.all(open.map(dispatcher => dispatcher.destroy()))
  }
  /** Lets requests in progress finish, then closes. */
  #retire(dispatcher: Dispatcher): void {
    this.#retiring.add(dispatcher)
    // Destroying it meanwhile rejects the close; either way it is gone.
    const forget = () => this.#retiring.delete(dispatcher)
    dispatcher.close().then(forget, forget)
  }
  #open(cert: string, key: string): Dispatcher {
    const { Agent, ProxyAgent } = loadUndici()
    const { caPem, serverName, skipTlsVerify = false, proxyUrl } = this.#config
    const tls = {
      ...trustOnly(caPem),
      ...(cert === '' ? {} : { cert, key }),
      ...(serverName === undefined ? {} : { servername: serverName }),
      rejectUnauthorized: !skipTlsVerify,
    }
    // A watch may stay silent for long: only the kernel's keep-alive probes tell a dead connection from a quiet one.
    const options = { bodyTimeout: 0, keepAliveTimeout: idleConnectionMs }
    return proxyUrl === undefined
      ? new Agent({ ...options, connect: tls })
      : new ProxyAgent({ ...options, uri: proxyUrl, requestTls: tls })
  }
}
