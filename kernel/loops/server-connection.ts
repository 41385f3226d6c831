import type { Clock, Logger, Vendor } from 'orch/sdk'
import {
  type Client,
  type ClosableTransport,
  connectionFromConfig,
  createClient,
  httpTransport,
  loadClientConfig,
  type Transport,
} from 'orch/sdk/client'

export interface ConnectRequest {
  readonly vendor: Vendor
  readonly clock: Clock
  readonly logger: Logger
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly clientConfig: string | undefined
  readonly context: string | undefined
}

/** The connection to a server in another process. */
export interface ServerConnection {
  /** Address of the server. */
  readonly server: string
  readonly contextName: string
  /** PEM of the authorities that the client config trusts. */
  readonly caPem: string | undefined
  readonly transport: ClosableTransport
  /** A client for control loops, over this transport or a wrapper of it. */
  clientOver(transport: Transport): Client
  /** A client without retries, for callers that have a deadline and retry themselves. */
  readonly impatientClient: Client
  /** The same connection with the token of a client instead of our credentials. */
  as(token: string): ClosableTransport
}

/** Reads the client config. No request is sent yet. */
export async function connectToServer(request: ConnectRequest): Promise<ServerConnection> {
  const { vendor, clock, logger, environment, clientConfig, context } = request
  const source = {
    vendor,
    environment,
    clock,
    ...(clientConfig === undefined ? {} : { path: clientConfig }),
    ...(context === undefined ? {} : { context }),
  }
  const connection = await connectionFromConfig(await loadClientConfig(source), source)
  const transport = httpTransport(connection.transport)
  const { credentials: _credentials, impersonate: _impersonate, ...way } = connection.transport
  const shared = {
    clock,
    userAgent: `${vendor.profile.objectPrefix}-controller-manager`,
    onWarning: (text: string) => logger.debug('warning of the server', { text }),
  }
  return {
    server: connection.transport.server,
    contextName: connection.contextName,
    caPem: connection.transport.caPem,
    transport,
    clientOver: over => createClient({ ...shared, transport: over }),
    impatientClient: createClient({ ...shared, transport, retries: { busy: 0, lost: 0 } }),
    as: token => httpTransport({ ...way, credentials: { token } }),
  }
}
