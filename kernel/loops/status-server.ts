import { ApiError } from 'orch/sdk'
import type { Registry as MetricsRegistry } from 'prom-client'
import type { Exchange } from '../contracts/exchange.js'
import { statusLimits } from '../http/connection-limits.js'
import { Connections } from '../http/connections.js'
import { addressOf, HttpServer } from '../http/tls-server.js'
import type { Health, HealthEndpoint } from '../observe/health.js'
import type { AccessCheck } from './delegated-access.js'

export interface StatusServerParts {
  readonly bindAddress: string
  readonly port: number
  /** Undefined serves plain HTTP. */
  readonly tls: { readonly certificatePem: string; readonly keyPem: string } | undefined
  readonly health: Health
  readonly metrics: MetricsRegistry
  /** Checks who may read the metrics; undefined allows everyone. Health is public, since probes have no token. */
  readonly mayRead: AccessCheck | undefined
}
export interface StatusServer {
  readonly url: string
  close(): Promise<void>
}

const stopGraceMs = 1_000
const endpoints: readonly string[] = ['healthz', 'livez', 'readyz'] satisfies HealthEndpoint[]

/** Health and metrics of a process that serves no API. */
export async function serveStatus(parts: StatusServerParts): Promise<StatusServer> {
  const { bindAddress, port, tls } = parts
  const connections = new Connections(statusLimits)
  const server = new HttpServer({ bindAddress, port, tls, connections }, exchange => {
    answer(exchange, parts).catch(error => exchange.send(error instanceof ApiError ? error.code : 500, {}, ''))
  })
  const chosen = await server.listen({ host: bindAddress, port })
  return { url: addressOf(bindAddress, chosen, tls !== undefined), close: () => server.close(stopGraceMs, 0) }
}

async function answer(exchange: Exchange, { health, metrics, mayRead }: StatusServerParts): Promise<void> {
  const { method, url, headers } = exchange
  const send = (status: number, text: string, type = 'text/plain; charset=utf-8') =>
    exchange.send(status, { 'Content-Type': type, 'Cache-Control': 'no-cache, private' }, text)
  if (method !== 'GET' && method !== 'HEAD') return send(405, 'only GET\n')
  const { pathname, searchParams } = new URL(url, 'http://status')
  if (pathname === '/metrics') {
    await mayRead?.(headers.authorization, pathname)
    return send(200, await metrics.metrics(), metrics.contentType)
  }
  const [, endpoint = '', only = ''] = pathname.split('/')
  const found = endpoints.includes(endpoint)
    ? await health.answer(endpoint as HealthEndpoint, only, searchParams)
    : undefined
  return found ? send(found.status, found.text) : send(404, 'not found\n')
}
