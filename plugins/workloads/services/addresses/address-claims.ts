import { type Clock, type ServiceDefinition, services, serviceToken } from 'orch/sdk'

/** Long enough for a Service that was given something to be stored and seen by the caches of all processes. */
const claimedMs = 10_000

export interface Claim {
  readonly names: readonly string[]
  readonly owner: string
}
/** Takes all names for the owner, or none of them; then it answers with the first that another owner has. */
export type TakeAddresses = (claim: Claim) => Promise<string | undefined>
export const takeAddresses = serviceToken<TakeAddresses>('workloads.take-addresses')

/** Remembers for a moment what was given away, until the object that got it can be seen in the store. */
export class AddressClaims {
  readonly #clock: Pick<Clock, 'now'>
  readonly #claims = new Map<string, { readonly owner: string; readonly until: number }>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  take({ names, owner }: Claim): string | undefined {
    const now = this.#clock.now()
    for (const [name, { until }] of this.#claims) if (until <= now) this.#claims.delete(name)
    const taken = names.find(name => (this.#claims.get(name)?.owner ?? owner) !== owner)
    if (taken !== undefined) return taken
    for (const name of names) this.#claims.set(name, { owner, until: now + claimedMs })
    return undefined
  }
}

const needs = { clock: services.clock, shared: services.sharedWork }
/** Of two processes that pick the same address one must lose, so the claims of all are kept in one place. */
export const addressClaimsService: ServiceDefinition<TakeAddresses, typeof needs> = {
  token: takeAddresses,
  needs,
  create({ clock, shared }) {
    const claims = new AddressClaims(clock)
    return shared.declare('service-addresses', (claim: Claim) => claims.take(claim))
  },
}
