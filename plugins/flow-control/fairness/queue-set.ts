/** Something that waits for its turn. */
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
  /** Gives them back. Call it once. */
  leave(): void
}

interface Queue {
  readonly number: number
  readonly waiting: Waiting[]
  seatsTaken: number
  seatsWaited: number
  /** What it has used: the start of its next request. */
  nextStart: number
}

/** What a request is expected to take. When it is over, the queue is charged for what it took. */
const expectedMs = 3
/** The minimum charge, even for a request that finished at once. */
const leastMs = 0.05

/**
 * The requests of one priority level, in queues that take turns by what they have used (start-time fair queuing). The start
 * of a request is what its queue has used before it, and the request with the least start is next. A queue that is new, or
 * was idle, begins at the start of the request that began last: it has not saved up anything, and owes nothing.
 */
export class QueueSet {
  readonly #now: () => number
  /** Only those that are used: a level may have millions. */
  readonly #queues = new Map<number, Queue>()
  /** The start of the request that began last. */
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

  /** Whether a request could begin now: one that needs more seats than there are may have all of them. */
  hasSeats(seats = 1): boolean {
    return this.seatsTaken === 0 || this.seatsTaken + seats <= this.seatLimit
  }

  /** Takes seats at once, for a flow with this hand. */
  take(hand: readonly number[], seats: number): TakenSeats {
    return this.#take(this.#choose(hand), seats)
  }

  /** Lets a request wait. False when the queue of its flow is full. */
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
      place.leave()
    }
  }

  /** Rejects requests that have waited since before a given time. */
  giveUpOn(before: number): void {
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
      leave: () => {
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

  /** An idle queue begins anew when it is used again: it saves nothing up. */
  #dropIfIdle(queue: Queue): void {
    if (queue.seatsTaken === 0 && queue.waiting.length === 0) this.#queues.delete(queue.number)
  }
}
