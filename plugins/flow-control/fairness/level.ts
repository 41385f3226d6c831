import type { PriorityLevel } from '../priority-levels/schema.js'
import { QueueSet } from './queue-set.js'

/** Requests of a level by schema, as plain numbers: updating metrics directly would cost more than everything else here. */
class LevelCounts {
  readonly #dispatched = new Map<string, number>()

  dispatched(schema: string): void {
    this.#dispatched.set(schema, (this.#dispatched.get(schema) ?? 0) + 1)
  }
  undispatched(schema: string): void {
    this.#dispatched.set(schema, (this.#dispatched.get(schema) ?? 0) - 1)
  }
  /** What came since the last call. */
  taken(): [schema: string, count: number][] {
    const counts = [...this.#dispatched].filter(([, count]) => count > 0)
    this.#dispatched.clear()
    return counts
  }
}

/** A running priority level. */
export class Level {
  readonly name: string
  readonly queues = new QueueSet(() => performance.now())
  readonly metrics = new LevelCounts()
  uid: readonly string[] = ['']
  isExempt = false
  mayWait = false
  queueCount = 1
  handSize = 1
  shares = 1
  /** Its virtual time among all levels: it advances more slowly for levels with more shares. */
  turn = 0

  constructor(name: string) {
    this.name = name
  }

  /** `places` are those of the whole server, `allShares` those of all levels. */
  configure({ metadata, spec }: PriorityLevel, places: number, allShares: number): void {
    const queuing = spec?.limited?.limitResponse?.queuing
    this.uid = [metadata?.uid ?? '']
    this.isExempt = spec?.type === 'Exempt'
    this.mayWait = queuing !== undefined
    this.queueCount = queuing?.queues ?? 1
    this.handSize = queuing?.handSize ?? 1
    this.shares = spec?.limited?.assuredConcurrencyShares ?? 1
    this.queues.queueLengthLimit = queuing?.queueLengthLimit ?? 0
    this.queues.seatLimit = Math.ceil((places * this.shares) / allShares)
  }

  /** Is a seat free and the queue empty? */
  get mayBeginAtOnce(): boolean {
    return this.queues.waiting === 0 && this.queues.hasSeats()
  }
}
