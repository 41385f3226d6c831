import { posix } from 'node:path'
import type { ServiceTarget } from 'orch/sdk/admission'
import type { WebhookClientConfig } from '../webhook-configurations/schema.js'

/** The destination of a webhook, derived from its client config. */
export interface Destination {
  /** Webhooks with the same key share connections. */
  readonly key: string
  /** `https://host:port`; for a Service its DNS name, which is also the name its certificate must be valid for. */
  readonly origin: string
  readonly path: string
  /** PEM of the authority that signed the serving certificate; those of the system when undefined. */
  readonly caPem: string | undefined
  /** Host and port under which credentials are looked up. */
  readonly hostAndPort: string
  /** Set if the address must be resolved through a Service. */
  readonly service: ServiceTarget | undefined
}

export const serviceHost = ({ namespace, name }: ServiceTarget): string => `${name}.${namespace}.svc`

export function destinationOf({ url, service, caBundle }: WebhookClientConfig): Destination {
  const trust = { caPem: caBundle ? Buffer.from(caBundle, 'base64').toString('utf8') : undefined }
  if (service) {
    const { path, port = 443 } = service
    const target = { namespace: service.namespace, name: service.name, port }
    return { ...place(serviceHost(target), port, caBundle), ...trust, path: cleanPath(path ?? ''), service: target }
  }
  // Validation follows RFC 3986; a URL that passes it and that Node still cannot parse is unreachable.
  if (!URL.canParse(url ?? '')) return { ...place('invalid', 443, caBundle), ...trust, path: '/', service: undefined }
  const { hostname, port, pathname } = new URL(url ?? '')
  return { ...place(hostname, Number(port || 443), caBundle), ...trust, path: cleanPath(pathname), service: undefined }
}

/** Like the reference, removes empty segments and a trailing slash. */
const cleanPath = (path: string) => posix.normalize(`/${path}`).replace(/(?<=.)\/$/, '')

function place(host: string, port: number, caBundle = '') {
  const hostAndPort = `${host}:${port}`
  const origin = `https://${hostAndPort}`
  return { origin, hostAndPort, key: `${origin} ${caBundle}` }
}
