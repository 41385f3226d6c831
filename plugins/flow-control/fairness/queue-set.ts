/** A waiting request. */
export interface Waiting {
  readonly seats: number
  readonly arrivedAt: number
  /** Starts the request. False if its client has gone; then it takes no seat. */
  begin(place: TakenSeats): boolean
  /** Called when it has waited too long. */
  giveUp(): void
}
/** Seats that are taken. */
export interface TakenSeats {
  /** Must be called once. */
  release(): void
}

interface Queue {
  readonly number: number
  readonly waiting: Waiting[]
  seatsTaken: number
  seatsWaited: number
  /** Its usage so far, which is the virtual start of its next request. */
  nextStart: number
}

/** The expected duration of a request. When it ends, the queue is charged for the actual one. */
const expectedMs = 3
/** The minimum charge, even for a request that finished at once. */
const leastMs = 0.05

/**
 * The requests of one priority level, in queues that are scheduled by usage (start-time fair queuing). The virtual start
 * of a request is the usage of its queue before it, and the request with the smallest start is next. A queue that is new or
 * was idle begins at the start of the request that was started last: idle time earns no credit.
 */
export class QueueSet {
  readonly #now: () => number
  /** Only queues in use: a level may have millions. */
  readonly #queues = new Map<number, Queue>()
  /** The virtual start of the request that was started last. */
  #latestStart = 0
  seatLimit = 0
  queueLengthLimit = 0
  seatsTaken = 0
  seatsWaited = 0
  waiting = 0
  executing = 0

  constructor(now: () => number) {
    this.#now = now
  }

  get isIdle(): boolean {
    return this.#queues.size === 0
  }

  /** Whether a request could start now: one that needs more seats than the limit may have all of them. */
  hasSeats(seats = 1): boolean {
    return this.seatsTaken === 0 || this.seatsTaken + seats <= this.seatLimit
  }

  /** Takes seats at once, for a flow with this hand. */
  take(hand: readonly number[], seats: number): TakenSeats {
    return this.#take(this.#choose(hand), seats)
  }

  /** Enqueues a request. False if the queue of its flow is full. */
  wait(hand: readonly number[], request: Waiting): boolean {
    const queue = this.#choose(hand)
    if (queue.waiting.length >= this.queueLengthLimit) return false
    queue.waiting.push(request)
    queue.seatsWaited += request.seats
    this.seatsWaited += request.seats
    this.waiting++
    return true
  }

  /** Starts the next request. False if none is waiting or no seat is free. */
  next(): boolean {
    for (;;) {
      const queue = this.#nextQueue()
      const first = queue?.waiting[0]
      if (!queue || !first || !this.hasSeats(first.seats)) return false
      this.#forgetFirst(queue, first)
      const place = this.#take(queue, first.seats)
      if (first.begin(place)) return true
      place.release()
    }
  }

  /** Rejects requests that have waited since before a given time. */
  rejectOlderThan(before: number): void {
    for (const queue of this.#queues.values())
      for (let first = queue.waiting[0]; first && first.arrivedAt < before; first = queue.waiting[0]) {
        this.#forgetFirst(queue, first)
        first.giveUp()
        this.#dropIfIdle(queue)
      }
  }

  /** The least busy queue of a hand. */
  #choose(hand: readonly number[]): Queue {
    let best: Queue | undefined
    let bestLoad = Number.POSITIVE_INFINITY
    for (const number of hand) {
      const queue = this.#queues.get(number)
      if (!queue) return this.#open(number)
      const load = queue.seatsTaken + queue.seatsWaited
      if (load < bestLoad) [best, bestLoad] = [queue, load]
    }
    return best ?? this.#open(0)
  }

  #open(number: number): Queue {
    const queue = { number, waiting: [], seatsTaken: 0, seatsWaited: 0, nextStart: this.#latestStart }
    this.#queues.set(number, queue)
    return queue
  }

  #nextQueue(): Queue | undefined {
    let best: Queue | undefined
    for (const queue of this.#queues.values())
      if (queue.waiting.length > 0 && (!best || queue.nextStart < best.nextStart)) best = queue
    return best
  }

  #take(queue: Queue, seats: number): TakenSeats {
    const startedAt = this.#now()
    queue.seatsTaken += seats
    this.#latestStart = Math.max(this.#latestStart, queue.nextStart)
    queue.nextStart += expectedMs * seats
    this.seatsTaken += seats
    this.executing++
    return {
      release: () => {
        queue.seatsTaken -= seats
        queue.nextStart += (Math.max(this.#now() - startedAt, leastMs) - expectedMs) * seats
        this.seatsTaken -= seats
        this.executing--
        this.#dropIfIdle(queue)
      },
    }
  }

  #forgetFirst(queue: Queue, { seats }: Waiting): void {
    queue.waiting.shift()
    queue.seatsWaited -= seats
    this.seatsWaited -= seats
    this.waiting--
  }

  /** An idle queue is dropped and starts again on use, without credit. */
  #dropIfIdle(queue: Queue): void {
    if (queue.seatsTaken === 0 && queue.waiting.length === 0) this.#queues.delete(queue.number)
  }
}
