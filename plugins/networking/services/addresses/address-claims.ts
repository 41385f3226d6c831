import { type ApiObject, type Clock, defineService, services, serviceToken } from 'orch/sdk'
import type { Service } from 'orch/sdk/core'
import { sharedWork } from 'orch/sdk/proposed'
import { addressesOf, isExternallyReachable, needsHealthCheckPort, specOf } from '../service-kinds.js'

/** Long enough for a Service to be stored and to reach the caches of all processes. */
const claimedMs = 10_000

export interface Claim {
  readonly names: readonly string[]
  readonly owner: string
}
/** Claims all names for the owner, or none of them: then it returns the first that another owner has. */
export type TakeAddresses = (claim: Claim) => Promise<string | undefined>
export const takeAddresses = serviceToken<TakeAddresses>('networking.take-addresses')

export type StoredService = ApiObject & Service
export const serviceCollection = { group: '', resource: 'services' }

/** Claims of addresses and of ports share one map. */
export const portKey = (port: number): string => `port/${port}`
export const ownerOf = ({ metadata }: StoredService): string => `${metadata.namespace}/${metadata.name}`

/** All node ports of a Service. Validation rejects a port that its type does not have. */
export function nodePortsOf(service: Service): string[] {
  const spec = specOf(service)
  const open = isExternallyReachable(spec) ? (spec.ports ?? []).map(({ nodePort = 0 }) => nodePort) : []
  const numbers = new Set([...open, needsHealthCheckPort(spec) ? (spec.healthCheckNodePort ?? 0) : 0])
  return [...numbers].filter(port => port !== 0).map(portKey)
}
/** The addresses and node ports, which belong to one Service only. */
export const namesOf = (service: Service): string[] => [...addressesOf(service), ...nodePortsOf(service)]

/** Short-lived claims of allocations, until the caches have the Service. */
export class AddressClaims {
  readonly #clock: Pick<Clock, 'now'>
  readonly #claims = new Map<string, { readonly owner: string; readonly until: number }>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  take({ names, owner }: Claim): string | undefined {
    const now = this.#clock.now()
    // In insertion order, so the oldest come first.
    for (const [name, { until }] of this.#claims) {
      if (until > now) break
      this.#claims.delete(name)
    }
    const taken = names.find(name => (this.#claims.get(name)?.owner ?? owner) !== owner)
    if (taken !== undefined) return taken
    for (const name of names) {
      this.#claims.delete(name)
      this.#claims.set(name, { owner, until: now + claimedMs })
    }
    return undefined
  }

  /** A Service with these names was stored: it takes over the claims made before its name was generated. */
  adopt({ names, owner }: Claim): void {
    for (const name of names) {
      const claim = this.#claims.get(name)
      if (claim) this.#claims.set(name, { ...claim, owner })
    }
  }

  /** The owner was deleted or released them. Claims of other owners are kept. */
  release({ names, owner }: Claim): void {
    for (const name of names) if (this.#claims.get(name)?.owner === owner) this.#claims.delete(name)
  }
}

/** One process keeps the claims of all, so that only one of two processes gets the same address. */
export const addressClaimsService = defineService({
  token: takeAddresses,
  needs: { clock: services.clock, shared: sharedWork, caches: services.caches, logger: services.logger },
  create({ clock, shared, caches, logger }) {
    const claims = new AddressClaims(clock)
    const take = shared.declare('service-addresses', (claim: Claim) => claims.take(claim))
    const release = shared.declare('service-addresses-released', (claim: Claim) => claims.release(claim))
    caches.of<StoredService>(serviceCollection).onChange(({ type, object, previous }) => {
      if (type === 'added') claims.adopt({ names: namesOf(object), owner: ownerOf(object) })
      // The process that sees the change notifies the one that keeps the claims, before it can request the same names
      // again.
      const kept = new Set(type === 'deleted' ? [] : namesOf(object))
      const given = namesOf(type === 'deleted' ? object : (previous ?? object)).filter(name => !kept.has(name))
      if (given.length === 0) return
      release({ names: given, owner: ownerOf(object) }).catch(error =>
        logger.debug('the addresses of a Service could not be released; their claims expire', { error: String(error) }),
      )
    })
    return take
  },
})
