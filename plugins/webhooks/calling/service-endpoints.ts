import { type Caches, defineService, type Stored, services } from 'orch/sdk'
import { type ServiceTarget, serviceAddresses } from 'orch/sdk/admission'
import type { Endpoints, Service } from 'orch/sdk/core'
import type { WebhookOptions } from '../options.js'
import { CallFailure } from './call-failure.js'

export interface Address {
  readonly host: string
  readonly port: number
}

/** Resolves a Service to one of its ready endpoints, since there is no proxy in between. */
export class ServiceEndpoints {
  readonly #caches: Caches
  /** `namespace/name` or `namespace/name:port` → `host:port`; for webhooks outside the cluster, such as on a laptop. */
  readonly #overrides: Readonly<Record<string, string>>

  constructor(caches: Caches, overrides: Readonly<Record<string, string>>) {
    this.#caches = caches
    this.#overrides = overrides
  }

  resolve(wanted: ServiceTarget): Address {
    const { namespace, name, port } = wanted
    const override = this.#overrides[`${namespace}/${name}:${port}`] ?? this.#overrides[`${namespace}/${name}`]
    if (override !== undefined) return addressOf(override, port)
    const service = this.#caches.of<Stored<Service>>({ group: '', resource: 'services' }).get(namespace, name)
    if (!service) throw new CallFailure(`service "${name}" not found in namespace "${namespace}"`)
    const { type = 'ClusterIP', externalName = '', ports = [] } = service.spec ?? {}
    if (type === 'ExternalName') return { host: externalName, port }
    const servicePort = ports.find(each => each.port === port)
    if (!servicePort) throw new CallFailure(`no service port ${port} found for service "${name}"`)
    return this.#endpointOf(wanted, servicePort.name ?? '')
  }

  #endpointOf({ namespace, name }: ServiceTarget, portName: string): Address {
    const endpoints = this.#caches.of<Stored<Endpoints>>({ group: '', resource: 'endpoints' }).get(namespace, name)
    const ready = (endpoints?.subsets ?? []).flatMap(({ addresses = [], ports = [] }) => {
      const port = ports.find(each => (each.name ?? '') === portName)?.port
      return port === undefined ? [] : addresses.map(({ ip }) => ({ host: ip, port }))
    })
    const chosen = ready[Math.floor(Math.random() * ready.length)]
    if (!chosen) throw new CallFailure(`no endpoints available for service "${name}"`)
    return chosen
  }
}

const needs = { caches: services.caches } as const

/** For plugins that call Services themselves. */
export const serviceEndpoints = (options: WebhookOptions) =>
  defineService({
    token: serviceAddresses,
    needs,
    create({ caches }) {
      const endpoints = new ServiceEndpoints(caches, options.webhookServiceOverride)
      const known = ['services', 'endpoints'].map(resource => caches.of({ group: '', resource }))
      return {
        async resolve(service) {
          await Promise.all(known.filter(({ isReady }) => !isReady).map(cache => cache.ready()))
          return endpoints.resolve(service)
        },
      }
    },
  })

function addressOf(text: string, defaultPort: number): Address {
  const colon = text.lastIndexOf(':')
  return colon < 0
    ? { host: text, port: defaultPort }
    : { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(text.slice(colon + 1)) }
}
