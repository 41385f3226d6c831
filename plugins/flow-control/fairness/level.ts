import type { PriorityLevel } from '../priority-levels/schema.js'
import { QueueSet } from './queue-set.js'

/** Requests that were dispatched since the last update of metrics. */
export interface Count {
  value: number
}

/** Requests of a level by schema, as plain numbers: updating metrics directly would cost more than everything else here. */
class LevelCounts {
  readonly #bySchema = new Map<string, Count>()

  of(schema: string): Count {
    let count = this.#bySchema.get(schema)
    if (!count) {
      count = { value: 0 }
      this.#bySchema.set(schema, count)
    }
    return count
  }
  clear(): void {
    this.#bySchema.clear()
  }
  /** The counts since the last call. */
  *taken(): Generator<[schema: string, count: number]> {
    for (const [schema, count] of this.#bySchema) {
      if (count.value <= 0) continue
      yield [schema, count.value]
      count.value = 0
    }
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
  virtualTime = 0

  constructor(name: string) {
    this.name = name
  }

  /** `seats` are those of the whole server, `allShares` those of all levels. */
  configure({ metadata, spec }: PriorityLevel, seats: number, allShares: number): void {
    const queuing = spec?.limited?.limitResponse?.queuing
    this.uid = [metadata?.uid ?? '']
    this.isExempt = spec?.type === 'Exempt'
    this.mayWait = queuing !== undefined
    this.queueCount = queuing?.queues ?? 1
    this.handSize = queuing?.handSize ?? 1
    this.shares = spec?.limited?.nominalConcurrencyShares ?? 1
    this.queues.queueLengthLimit = queuing?.queueLengthLimit ?? 0
    this.queues.seatLimit = Math.ceil((seats * this.shares) / allShares)
  }

  /** Whether a seat is free and no request is waiting. */
  get mayBeginAtOnce(): boolean {
    return this.queues.waiting === 0 && this.queues.hasSeats()
  }
}
