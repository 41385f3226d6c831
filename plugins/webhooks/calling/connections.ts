import { createSecureContext, rootCertificates } from 'node:tls'
import { type Credential, loadUndici, trustOnly } from 'orch/sdk/client'
import type { buildConnector, Dispatcher, Pool } from 'undici'
import { type Destination, serviceHost } from './destination.js'
import type { ServiceEndpoints } from './service-endpoints.js'

/** Above this many concurrent calls to one destination, further ones are queued, within their timeout. */
const maxConnectionsPerPlace = 256
/** Idle connections are kept this long, unless the webhook says how long it keeps them. */
const idleConnectionMs = 30_000
/** The maximum timeout of a webhook; the call itself ends by its own timeout. */
const connectTimeoutMs = 30_000

interface OpenPlace {
  readonly pool: Pool
  /** Connections belong to a client certificate: another one means another handshake. */
  readonly certificate: string
}

/** Kept-alive connections to every destination. */
export class Connections {
  readonly #endpoints: ServiceEndpoints
  readonly #open = new Map<string, OpenPlace>()
  readonly #retiring = new Set<Pool>()
  #isPrepared = false

  constructor(endpoints: ServiceEndpoints) {
    this.#endpoints = endpoints
  }

  /** Does in advance what the first call would wait for: Node loads all of its root certificates when it first adds another. */
  prepare(): void {
    if (this.#isPrepared) return
    this.#isPrepared = true
    loadUndici()
    createSecureContext({ ca: rootCertificates.slice(0, 1) })
  }

  to(destination: Destination, credential: Credential): Dispatcher {
    const certificate = `${credential.clientCertificatePem ?? ''}\n${credential.clientKeyPem ?? ''}`
    const open = this.#open.get(destination.key)
    if (open?.certificate === certificate) return open.pool
    if (open) this.#retire(open.pool)
    const pool = this.#connect(destination, credential)
    this.#open.set(destination.key, { pool, certificate })
    return pool
  }

  /** Closes connections that no webhook needs any more, once their calls have ended. */
  retain(keys: ReadonlySet<string>): void {
    for (const [key, { pool }] of this.#open) {
      if (keys.has(key)) continue
      this.#open.delete(key)
      this.#retire(pool)
    }
  }

  async close(): Promise<void> {
    const pools = [...this.#retiring, ...[...this.#open.values()].map(({ pool }) => pool)]
    this.#open.clear()
    await Promise.all(pools.map(pool => pool.destroy()))
  }

  #retire(pool: Pool): void {
    this.#retiring.add(pool)
    // Destroying it meanwhile rejects the close; it is closed in either case.
    const forget = () => this.#retiring.delete(pool)
    pool.close().then(forget, forget)
  }

  #connect({ origin, caPem, service }: Destination, { clientCertificatePem, clientKeyPem }: Credential): Pool {
    const { buildConnector, Pool } = loadUndici()
    const connect = withLastSession(
      buildConnector({
        timeout: connectTimeoutMs,
        ...trustOnly(caPem),
        ...(clientCertificatePem === undefined ? {} : { cert: clientCertificatePem, key: clientKeyPem }),
      }),
    )
    return new Pool(origin, {
      connections: maxConnectionsPerPlace,
      keepAliveTimeout: idleConnectionMs,
      // The call has one timeout for everything.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (options, callback) => {
        if (!service) return connect(options, callback)
        try {
          const { host, port } = this.#endpoints.resolve(service)
          connect({ ...options, hostname: host, port: String(port), servername: serviceHost(service) }, callback)
        } catch (failure) {
          callback(failure as Error, null)
        }
      },
    })
  }
}

/** undici resumes TLS sessions but holds them weakly; a strong reference guarantees that the next handshake is short. */
function withLastSession(connect: buildConnector.connector): buildConnector.connector {
  const held: { session?: Buffer } = {}
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      socket?.on('session', (session: Buffer) => {
        held.session = session
      })
      if (error) callback(error, null)
      else callback(null, socket as NonNullable<typeof socket>)
    })
}
