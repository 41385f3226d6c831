import type { ApiObject, Clock, Logger } from 'orch/sdk'
import { microTimestampOf } from 'orch/sdk'
import { type ResourceClient, unlessLost } from 'orch/sdk/client'
import type { Lease } from 'orch/sdk/core'
import type { SimulatedNode } from './node-objects.js'

/** The limit for all nodes together, so that a thousand idle ones cost next to nothing. */
const maxPerSecond = 10
/** Leases are renewed in batches no more often than this: those of a batch share a commit. */
const batchEveryMs = 1000
/** A lease expires after this many missed renewals. */
const renewalsPerLease = 4

export interface HeartbeatOptions {
  readonly clock: Clock
  readonly logger: Logger
  readonly leases: ResourceClient<ApiObject & Lease>
  /** How often each node renews its lease, unless that exceeds the limit for all nodes. */
  readonly intervalMs: number
}

/** Renews the leases of nodes round-robin, a few at a time, so that the work is spread over time. */
export class Heartbeats {
  readonly #options: HeartbeatOptions
  /** Name → owner of the lease, in the order of renewal. */
  readonly #nodes = new Map<string, SimulatedNode>()
  #cancel: (() => void) | undefined
  #renewing: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(options: HeartbeatOptions) {
    this.#options = options
  }
  /** The effective interval for the current number of nodes. */
  get intervalMs(): number {
    return Math.max(this.#options.intervalMs, 1000, (this.#nodes.size * 1000) / maxPerSecond)
  }
  add(node: SimulatedNode): void {
    const name = node.metadata.name ?? ''
    const isKnown = this.#nodes.get(name)?.metadata.uid === node.metadata.uid
    if (isKnown || this.#isStopped) return
    this.#nodes.set(name, node)
    this.#renewing = this.#renewing.then(() => this.#renew(name))
    this.#scheduleNext()
  }
  remove(name: string): void {
    this.#nodes.delete(name)
  }
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel?.()
    await this.#renewing
  }

  #scheduleNext(): void {
    if (this.#isStopped || this.#cancel || this.#nodes.size === 0) return
    const apartMs = this.intervalMs / this.#nodes.size
    const batch = Math.max(1, Math.round(batchEveryMs / apartMs))
    this.#cancel = this.#options.clock.after(apartMs * batch, () => {
      this.#cancel = undefined
      const next = [...firstOf(this.#nodes.keys(), batch)]
      this.#renewing = this.#renewing.then(async () => void (await Promise.all(next.map(name => this.#renew(name)))))
      this.#scheduleNext()
    })
  }
  async #renew(name: string): Promise<void> {
    const node = this.#nodes.get(name)
    if (!node || this.#isStopped) return
    // Renewed nodes go to the end.
    this.#nodes.delete(name)
    this.#nodes.set(name, node)
    const { clock, leases, logger } = this.#options
    const leaseDurationSeconds = Math.ceil((this.intervalMs * renewalsPerLease) / 1000)
    const renewTime = microTimestampOf(clock.now())
    const spec = { holderIdentity: name, leaseDurationSeconds, renewTime }
    try {
      if (await unlessLost(leases.patch(name, { spec }), 'NotFound')) return
      const owner = { apiVersion: 'v1', kind: 'Node', name, uid: node.metadata.uid ?? '' }
      await unlessLost(leases.create({ metadata: { name, ownerReferences: [owner] }, spec }))
    } catch (error) {
      logger.debug('a simulated node could not renew its lease', { node: name, error })
    }
  }
}

function* firstOf<T>(items: Iterable<T>, count: number): Generator<T> {
  let left = count
  for (const item of items) {
    if (left-- <= 0) return
    yield item
  }
}
