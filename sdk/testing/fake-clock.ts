import type { Clock } from '../plugin/basic-services.js'

/** A clock that stands still until a test moves it. */
export interface FakeClock extends Clock {
  /** Moves time on and calls what falls due, in order; waits for promises that this settles. */
  advance(ms: number): Promise<void>
  /** Moves to the next timer and calls it; false when there is none. */
  advanceToNext(): Promise<boolean>
  /** Timers that wait. A loop that has stopped leaves none. */
  readonly pending: number
}

interface Timer {
  readonly at: number
  readonly order: number
  readonly call: () => void
}

/** Lets promises and stream events that are ready run to their end. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise(resolve => setImmediate(resolve))
}

/** Makes a clock for tests; `startMs` is the time it shows first. */
export function fakeClock(startMs = Date.parse('2024-01-01T00:00:00Z')): FakeClock {
  const timers = new Set<Timer>()
  let now = startMs
  let count = 0
  const nextDue = () => [...timers].sort((a, b) => a.at - b.at || a.order - b.order)[0]
  const fire = async (timer: Timer) => {
    timers.delete(timer)
    now = Math.max(now, timer.at)
    timer.call()
    await settle()
  }
  return {
    now: () => now,
    after(delayMs, call) {
      const timer = { at: now + Math.max(0, delayMs), order: count++, call }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async advance(ms) {
      const end = now + ms
      await settle()
      for (let timer = nextDue(); timer && timer.at <= end; timer = nextDue()) await fire(timer)
      now = end
    },
    async advanceToNext() {
      await settle()
      const timer = nextDue()
      if (timer) await fire(timer)
      return timer !== undefined
    },
    get pending() {
      return timers.size
    },
  }
}
