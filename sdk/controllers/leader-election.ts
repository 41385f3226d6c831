import { setMaxListeners } from 'node:events'
import type { Client, ResourceRef } from '../client/client.js'
import { sleep } from '../client/waiting.js'
import type { Clock, Logger, Metrics } from '../plugin/basic-services.js'
import type { LeaderTerm } from './leader-term.js'
import { LeaseHolder } from './lease-holder.js'

/** Which Lease to compete for, and with which time-outs. */
export interface LeaderElectionOptions {
  readonly client: Client
  readonly clock: Clock
  readonly logger?: Logger
  /** Gets a gauge `leader_election_master_status`, 1 for the leader. */
  readonly metrics?: Metrics
  /** The collection of Leases: `leaseCollection(vendor)`. */
  readonly leaseRef: ResourceRef
  readonly namespace: string
  readonly leaseName: string
  /** Distinguishes this process from all others that compete. */
  readonly identity: string
  /** Others take over when the holder has not renewed for this long; 15 s by default. */
  readonly leaseDurationMs?: number
  /** A holder that could not renew for this long gives up; shorter than the above. 10 s by default. */
  readonly renewDeadlineMs?: number
  /** Time between attempts; 2 s by default. */
  readonly retryPeriodMs?: number
  /** Called after every round that this process did not win. */
  onWaiting?(): void
}

/** A server that does not answer must not delay the end of the process: the Lease expires by itself. */
const releaseLimitMs = 5_000

/** The work of a leader. The result is called when it stops leading. */
export type LeaderWork = (term: LeaderTerm) => Promise<() => Promise<void>>

/**
 * Runs something in at most one process at a time. `run` is called when this process becomes the leader; the function that it
 * returns is called when it no longer is, and then the process competes again. Returns at once; the result stops everything
 * and releases the Lease.
 */
export function withLeaderElection(options: LeaderElectionOptions, run: LeaderWork): () => Promise<void> {
  const stop = new AbortController()
  const ended = new Election(options, run, stop.signal).compete()
  return async () => {
    stop.abort()
    await ended
  }
}

class Term implements LeaderTerm {
  readonly #clock: Clock
  readonly #renewDeadlineMs: number
  readonly #over = new AbortController()
  #renewedAt: number
  constructor(clock: Clock, renewDeadlineMs: number, renewedAt: number) {
    this.#clock = clock
    this.#renewDeadlineMs = renewDeadlineMs
    this.#renewedAt = renewedAt
    // Every loop and every client of the term adds a listener: Node would warn of a leak.
    setMaxListeners(0, this.#over.signal)
  }
  get ended(): AbortSignal {
    return this.#over.signal
  }
  /** The time until the Lease must have been renewed. */
  get restMs(): number {
    return this.#renewedAt + this.#renewDeadlineMs - this.#clock.now()
  }
  isCurrent(): boolean {
    return !this.#over.signal.aborted && this.restMs > 0
  }
  renewed(at: number): void {
    this.#renewedAt = at
  }
  end(): void {
    this.#over.abort()
  }
}

class Election {
  readonly #options: LeaderElectionOptions
  readonly #lease: LeaseHolder
  readonly #run: LeaderWork
  readonly #stop: AbortSignal
  readonly #renewDeadlineMs: number
  readonly #retryPeriodMs: number
  #knownLeader = ''

  constructor(options: LeaderElectionOptions, run: LeaderWork, stop: AbortSignal) {
    const { client, clock, leaseRef, namespace, leaseName, identity } = options
    this.#options = options
    this.#run = run
    this.#stop = stop
    this.#renewDeadlineMs = options.renewDeadlineMs ?? 10_000
    this.#retryPeriodMs = options.retryPeriodMs ?? 2_000
    const leases = client.resource(leaseRef).in(namespace)
    const leaseDurationMs = options.leaseDurationMs ?? 15_000
    this.#lease = new LeaseHolder({ leases, clock, leaseName, identity, leaseDurationMs })
  }

  async compete(): Promise<void> {
    this.#showStatus(0)
    while (!this.#stop.aborted) {
      const askedAt = this.#options.clock.now()
      if (await this.#within(this.#renewDeadlineMs, this.#lease.acquireOrRenew())) {
        await this.#lead(new Term(this.#options.clock, this.#renewDeadlineMs, askedAt))
      } else {
        this.#noteLeader()
        this.#options.onWaiting?.()
        await this.#pause()
      }
    }
  }

  async #lead(term: Term): Promise<void> {
    const { logger, leaseName, identity } = this.#options
    logger?.info('became leader', { lease: leaseName, identity })
    this.#knownLeader = identity
    this.#showStatus(1)
    let isBroken = false
    // Starting may take a while, and the Lease must not expire meanwhile.
    const work = this.#run(term).catch(error => {
      isBroken = true
      logger?.error('leader could not start', { lease: leaseName, error })
      return async () => {}
    })
    await this.#renew(term, () => isBroken)
    const isLost = !this.#stop.aborted && !isBroken
    if (isLost) {
      logger?.warn('lost the lease', { lease: leaseName, identity, holder: this.#lease.holder })
      term.end()
    }
    const stopped = work
      .then(stopWork => stopWork())
      .catch(error => logger?.error('leader could not stop', { lease: leaseName, error }))
    // Work that stops voluntarily may finish what it has begun, as long as no other process can have become the leader.
    if (!isLost) await this.#withTimeout(stopped, term.restMs)
    term.end()
    await stopped
    this.#showStatus(0)
    logger?.info('stopped leading', { lease: leaseName, identity })
    await this.#within(Math.min(this.#renewDeadlineMs, releaseLimitMs), this.#lease.release())
    if (isBroken) await this.#pause()
  }

  /** Renews the Lease until the end of the term. */
  async #renew(term: Term, isBroken: () => boolean): Promise<void> {
    while (!this.#stop.aborted && !isBroken() && term.isCurrent()) {
      await this.#pause(term.restMs)
      if (this.#stop.aborted || isBroken()) return
      const askedAt = this.#options.clock.now()
      if (await this.#within(term.restMs, this.#lease.acquireOrRenew())) term.renewed(askedAt)
      else if (this.#lease.isHeldByOther) return
    }
  }

  /** With jitter, so that competitors do not send their requests at the same time. */
  #pause(longestMs = Number.POSITIVE_INFINITY): Promise<void> {
    const ms = Math.min(this.#retryPeriodMs * (1 + Math.random() / 5), longestMs)
    return sleep(this.#options.clock, ms, this.#stop)
  }
  /** False when the attempt fails or takes too long. */
  async #within(ms: number, attempt: Promise<boolean>): Promise<boolean> {
    const outcome = attempt.catch(error => {
      this.#options.logger?.warn('lease not renewed', { lease: this.#options.leaseName, error })
      return false
    })
    return (await this.#withTimeout(outcome, ms)) ?? false
  }
  /** The outcome, or undefined when it takes too long. */
  async #withTimeout<T>(outcome: Promise<T>, ms: number): Promise<T | undefined> {
    const over = new AbortController()
    const result = await Promise.race([outcome, sleep(this.#options.clock, ms, over.signal).then(() => undefined)])
    over.abort()
    return result
  }
  #noteLeader(): void {
    const { holder } = this.#lease
    if (holder === '' || holder === this.#knownLeader) return
    this.#knownLeader = holder
    this.#options.logger?.info('another process leads', { lease: this.#options.leaseName, leader: holder })
  }
  #showStatus(value: 0 | 1): void {
    const { metrics, leaseName } = this.#options
    metrics
      ?.gauge('leader_election_master_status', 'Is this process the leader? 1 for yes.', ['name'])
      .set(value, { name: leaseName })
  }
}
