import { serviceToken } from '../plugin/service-token.js'

/** A port of a Service. */
export interface ServiceTarget {
  readonly namespace: string
  readonly name: string
  readonly port: number
}

/**
 * Resolves a Service, for plugins that call it, to one of its ready endpoints, since there is no proxy in between. The
 * plugin `webhooks` provides it; --webhook-service-override sets the addresses of Services outside the cluster.
 */
export interface ServiceAddresses {
  /** Waits until the caches of Services and endpoints are filled. Throws an Error that names what is missing. */
  resolve(service: ServiceTarget): Promise<{ readonly host: string; readonly port: number }>
}
/** The token of `ServiceAddresses`. */
export const serviceAddresses = serviceToken<ServiceAddresses>('webhooks.serviceAddresses')
