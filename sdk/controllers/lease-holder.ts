import type { ResourceClient } from '../client/client.js'
import { isObjectNotFound } from '../client/error-answers.js'
import type { Lease } from '../core/lease.js'
import type { Clock } from '../plugin/basic-services.js'
import { ApiError } from '../resource/api-errors.js'
import type { ApiObject, Stored } from '../resource/meta.js'
import { microTimestampOf } from '../resource/timestamp.js'

export interface LeaseHolderOptions {
  /** The Leases of the namespace. */
  readonly leases: ResourceClient<ApiObject>
  readonly clock: Clock
  readonly leaseName: string
  readonly identity: string
  readonly leaseDurationMs: number
}

/** One process's hold on a Lease. */
export class LeaseHolder {
  readonly #leases: ResourceClient<Stored<Lease>>
  readonly #clock: Clock
  readonly #name: string
  readonly #identity: string
  readonly #durationMs: number
  /** The last version seen and when, by our own clock: clocks of other processes are not trusted. */
  #seenVersion: string | undefined
  #seenAt = 0
  #held: Stored<Lease> | undefined
  #holder = ''

  constructor({ leases, clock, leaseName, identity, leaseDurationMs }: LeaseHolderOptions) {
    this.#leases = leases as ResourceClient<Stored<Lease>>
    this.#clock = clock
    this.#name = leaseName
    this.#identity = identity
    this.#durationMs = leaseDurationMs
  }
  /** The holder when it was last seen; empty for none. */
  get holder(): string {
    return this.#holder
  }
  get isHeldByOther(): boolean {
    return this.#holder !== '' && this.#holder !== this.#identity
  }

  async acquireOrRenew(): Promise<boolean> {
    const stored = await this.#leases.find(this.#name)
    const now = microTimestampOf(this.#clock.now())
    const claim = {
      holderIdentity: this.#identity,
      leaseDurationSeconds: Math.ceil(this.#durationMs / 1000),
      renewTime: now,
    }
    if (stored === undefined)
      return this.#write(() =>
        this.#leases.create({
          metadata: { name: this.#name },
          spec: { ...claim, acquireTime: now, leaseTransitions: 0 },
        }),
      )
    this.#noteSeen(stored)
    const { holderIdentity = '', acquireTime = now, leaseTransitions = 0 } = stored.spec ?? {}
    const isOurs = holderIdentity === this.#identity
    if (!isOurs && holderIdentity !== '' && this.#clock.now() - this.#seenAt < this.#durationOf(stored)) return false
    const since = isOurs
      ? { acquireTime, leaseTransitions }
      : { acquireTime: now, leaseTransitions: leaseTransitions + 1 }
    return this.#write(() => this.#leases.update({ ...stored, spec: { ...stored.spec, ...claim, ...since } }))
  }

  /** Lets the next holder in without waiting. If that fails, the Lease expires by itself. */
  async release(): Promise<boolean> {
    const held = this.#held
    this.#held = undefined
    if (held === undefined || this.isHeldByOther) return false
    const spec = { ...held.spec, holderIdentity: '', leaseDurationSeconds: 1 }
    return this.#write(() => this.#leases.update({ ...held, spec }))
  }

  /** A write that fails because another process was faster is a lost round, not a failure. */
  async #write(write: () => Promise<Stored<Lease>>): Promise<boolean> {
    try {
      this.#held = await write()
    } catch (error) {
      if (error instanceof ApiError && (error.code === 409 || isObjectNotFound(error))) return false
      throw error
    }
    this.#noteSeen(this.#held)
    return true
  }
  #noteSeen(lease: Stored<Lease>): void {
    this.#holder = lease.spec?.holderIdentity ?? ''
    if (lease.metadata.resourceVersion === this.#seenVersion) return
    this.#seenVersion = lease.metadata.resourceVersion
    this.#seenAt = this.#clock.now()
  }
  #durationOf({ spec }: Lease): number {
    return spec?.leaseDurationSeconds ? spec.leaseDurationSeconds * 1000 : this.#durationMs
  }
}

/** A time with microseconds, of which only the milliseconds are known. */
