import { serviceToken } from '../plugin/service-token.js'

/** A port of a Service. */
export interface ServiceTarget {
  readonly namespace: string
  readonly name: string
  readonly port: number
}

/**
 * Finds what is behind a Service, for plugins that call it: one of its ready endpoints, since there is no proxy in between. The
 * plugin `webhooks` offers it; --webhook-service-override says where Services outside the cluster are.
 */
export interface ServiceAddresses {
  /** Waits until Services and their endpoints are known. Throws an Error that says what is missing. */
  resolve(service: ServiceTarget): Promise<{ readonly host: string; readonly port: number }>
}
/** Needed by who calls Services. */
export const serviceAddresses = serviceToken<ServiceAddresses>('webhooks.serviceAddresses')
