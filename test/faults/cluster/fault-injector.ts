import { setTimeout as pause } from 'node:timers/promises'
import type { SeededRandom } from '../../fuzz/seeded-random.js'
import type { Cluster } from './cluster.js'
import { faultsOf } from './fault-kinds.js'

const calmMs = 1500

/** Injects faults sequentially. Every kind occurs once before one is repeated. */
export class FaultInjector {
  readonly #cluster: Cluster
  readonly #random: SeededRandom
  readonly #kinds: readonly string[]
  readonly #onFault: (kind: string) => void
  #next: string[] = []
  readonly counts = new Map<string, number>()

  constructor(
    cluster: Cluster,
    random: SeededRandom,
    onFault: (kind: string) => void,
    isWanted: (kind: string) => boolean = () => true,
  ) {
    this.#cluster = cluster
    this.#random = random
    this.#onFault = onFault
    this.#kinds = [...faultsOf(cluster).keys()].filter(isWanted)
  }

  get hadEveryKind(): boolean {
    return this.#kinds.every(kind => this.counts.has(kind))
  }

  /** Injects faults until the given time; all are healed when it returns. */
  async runUntil(isOver: () => boolean): Promise<void> {
    if (this.#kinds.length === 0) while (!isOver()) await pause(50)
    while (!isOver()) {
      await pause(this.#random.between(100, calmMs))
      if (this.#next.length === 0) this.#next = this.#shuffled()
      const kind = this.#next.pop()!
      this.#onFault(kind)
      await faultsOf(this.#cluster).get(kind)!(this.#cluster, this.#random)
      this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
    }
  }

  #shuffled(): string[] {
    const order = this.#kinds.map(kind => ({ kind, rank: this.#random.fraction() }))
    return order.sort((one, other) => one.rank - other.rank).map(({ kind }) => kind)
  }
}
