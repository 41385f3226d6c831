import { posix } from 'node:path'
import type { ServiceTarget } from 'orch/sdk/admission'
import type { WebhookClientConfig } from '../webhook-configurations/schema.js'

/** Where a webhook is, worked out from its client config. */
export interface Destination {
  /** Two webhooks with one key share their connections. */
  readonly key: string
  /** `https://host:port`; for a Service its DNS name, which is also the name its certificate must be valid for. */
  readonly origin: string
  readonly path: string
  /** PEM of the authority that signed the serving certificate; those of the system when undefined. */
  readonly caPem: string | undefined
  /** Host and port under which credentials are looked up. */
  readonly hostAndPort: string
  /** Set when the address must be found through a Service. */
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
  // The rules for urls are those of RFC 3986; what passes them and is still no URL to the platform cannot be reached.
  if (!URL.canParse(url ?? '')) return { ...place('invalid', 443, caBundle), ...trust, path: '/', service: undefined }
  const { hostname, port, pathname } = new URL(url ?? '')
  return { ...place(hostname, Number(port || 443), caBundle), ...trust, path: cleanPath(pathname), service: undefined }
}

/** Empty steps and a slash at the end make no difference to the reference, so webhooks never see them. */
const cleanPath = (path: string) => posix.normalize(`/${path}`).replace(/(?<=.)\/$/, '')

function place(host: string, port: number, caBundle = '') {
  const hostAndPort = `${host}:${port}`
  const origin = `https://${hostAndPort}`
  return { origin, hostAndPort, key: `${origin} ${caBundle}` }
}
