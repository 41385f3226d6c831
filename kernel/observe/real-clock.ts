import type { Clock } from 'orch/sdk'

/** The time of this machine. Its timers do not keep the process alive. */
export const realClock: Clock = {
  now: () => Date.now(),
  after(delayMs, call) {
    const timer = setTimeout(call, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
