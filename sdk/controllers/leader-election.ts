import { ApiError } from '../api-errors.js'
import type { Client, ResourceClient, ResourceRef } from '../client/client.js'
import { isObjectNotFound } from '../client/error-answers.js'
import { sleep } from '../client/waiting.js'
import type { ApiObject } from '../meta.js'
import type { Clock, Logger } from '../services.js'

/** Which Lease to compete for, and how patiently. */
export interface LeaderElectionOptions {
  readonly client: Client
  readonly clock: Clock
  readonly logger?: Logger
  /** Where Leases live; the group depends on the vendor. */
  readonly leaseRef: ResourceRef
  readonly namespace: string
  readonly leaseName: string
  /** Tells this process from all others that compete. */
  readonly identity: string
  /** Others take over when the holder has been silent this long; 15 s by default. */
  readonly leaseDurationMs?: number
  /** A holder that could not renew for this long gives up; shorter than the above. 10 s by default. */
  readonly renewDeadlineMs?: number
  /** Time between attempts; 2 s by default. */
  readonly retryPeriodMs?: number
}

interface Lease extends ApiObject {
  spec?: {
    holderIdentity?: string
    leaseDurationSeconds?: number
    acquireTime?: string
    renewTime?: string
    leaseTransitions?: number
  }
}

/**
 * Runs something in at most one process at a time. `run` is called when this process becomes the leader; what it returns
 * is called when it no longer is, after which it competes again. Returns at once; the result stops everything and gives
 * the Lease free for the next.
 */
export function withLeaderElection(
  options: LeaderElectionOptions,
  run: () => Promise<() => Promise<void>>,
): () => Promise<void> {
  const stop = new AbortController()
  const ended = compete(new LeaseHolder(options), options, run, stop.signal)
  return async () => {
    stop.abort()
    await ended
  }
}

async function compete(
  lease: LeaseHolder,
  { clock, logger, leaseName, identity, renewDeadlineMs = 10_000, retryPeriodMs = 2_000 }: LeaderElectionOptions,
  run: () => Promise<() => Promise<void>>,
  signal: AbortSignal,
): Promise<void> {
  // Spread, so that competitors do not ask in step.
  const pause = () => sleep(clock, retryPeriodMs * (1 + Math.random() / 5), signal)
  const attempt = (ms: number) => within(clock, ms, lease.acquireOrRenew(), logger)
  while (!signal.aborted) {
    if (!(await attempt(renewDeadlineMs))) {
      await pause()
      continue
    }
    logger?.info('became leader', { lease: leaseName, identity })
    let renewedAt = clock.now()
    let isBroken = false
    const patience = () => renewedAt + renewDeadlineMs - clock.now()
    // Starting may take a while, and the Lease must not run out meanwhile.
    const work = run().catch(error => {
      isBroken = true
      logger?.error('leader could not start', { lease: leaseName, error: String(error) })
      return async () => {}
    })
    while (!signal.aborted && !isBroken && patience() > 0) {
      await pause()
      if (signal.aborted || isBroken) break
      const askedAt = clock.now()
      if (await attempt(patience())) renewedAt = askedAt
      else if (lease.isHeldByOther) break
    }
    logger?.info('stopped leading', { lease: leaseName, identity })
    const stopWork = await work
    await stopWork()
    await within(clock, renewDeadlineMs, lease.release(), logger)
    if (isBroken) await pause()
  }
}

/** False when the attempt fails or takes too long. */
async function within(clock: Clock, ms: number, attempt: Promise<boolean>, logger?: Logger): Promise<boolean> {
  const over = new AbortController()
  const outcome = attempt.catch(error => {
    logger?.warn('lease not renewed', { error: error instanceof Error ? error.message : String(error) })
    return false
  })
  const result = await Promise.race([outcome, sleep(clock, ms, over.signal).then(() => false)])
  over.abort()
  return result
}

/** One process's hold on a Lease. */
class LeaseHolder {
  readonly #leases: ResourceClient<Lease>
  readonly #clock: Clock
  readonly #name: string
  readonly #identity: string
  readonly #durationMs: number
  /** The last state seen and when, by our own clock: clocks of others are not trusted. */
  #seenVersion: string | undefined
  #seenAt = 0
  #held: Lease | undefined
  #holder = ''

  constructor(options: LeaderElectionOptions) {
    this.#leases = options.client.resource<Lease>(options.leaseRef).in(options.namespace)
    this.#clock = options.clock
    this.#name = options.leaseName
    this.#identity = options.identity
    this.#durationMs = options.leaseDurationMs ?? 15_000
  }
  get isHeldByOther(): boolean {
    return this.#holder !== '' && this.#holder !== this.#identity
  }

  async acquireOrRenew(): Promise<boolean> {
    const stored = await this.#leases.find(this.#name)
    const now = microTime(this.#clock.now())
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
    this.#look(stored)
    const { holderIdentity = '', acquireTime = now, leaseTransitions = 0 } = stored.spec ?? {}
    const isOurs = holderIdentity === this.#identity
    if (!isOurs && holderIdentity !== '' && this.#clock.now() - this.#seenAt < this.#durationOf(stored)) return false
    const since = isOurs
      ? { acquireTime, leaseTransitions }
      : { acquireTime: now, leaseTransitions: leaseTransitions + 1 }
    return this.#write(() => this.#leases.update({ ...stored, spec: { ...stored.spec, ...claim, ...since } }))
  }

  /** Lets the next one in without waiting. When that does not work, the Lease runs out by itself. */
  async release(): Promise<boolean> {
    const held = this.#held
    this.#held = undefined
    if (held === undefined || this.isHeldByOther) return false
    const spec = { ...held.spec, holderIdentity: '', leaseDurationSeconds: 1 }
    return this.#write(() => this.#leases.update({ ...held, spec }))
  }

  /** A write that fails because somebody else was faster is a lost round, not a failure. */
  async #write(write: () => Promise<Lease>): Promise<boolean> {
    try {
      this.#held = await write()
    } catch (error) {
      if (error instanceof ApiError && (error.code === 409 || isObjectNotFound(error))) return false
      throw error
    }
    this.#look(this.#held)
    return true
  }
  #look(lease: Lease): void {
    this.#holder = lease.spec?.holderIdentity ?? ''
    if (lease.metadata.resourceVersion === this.#seenVersion) return
    this.#seenVersion = lease.metadata.resourceVersion
    this.#seenAt = this.#clock.now()
  }
  #durationOf({ spec }: Lease): number {
    return spec?.leaseDurationSeconds ? spec.leaseDurationSeconds * 1000 : this.#durationMs
  }
}

/** A time with microseconds, of which we know the first three digits. */
const microTime = (ms: number) => new Date(ms).toISOString().replace('Z', '000Z')
