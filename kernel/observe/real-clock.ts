import type { Clock } from 'orch/sdk'

/** The maximum delay of a timer in Node. Longer ones would fire at once. */
const maxTimerMs = 2 ** 31 - 1

/** The time of this machine. Its timers do not keep the process alive. */
export const realClock: Clock = {
  now: () => Date.now(),
  after(delayMs, call) {
    let timer: NodeJS.Timeout | undefined
    const wait = (restMs: number) => {
      const stepMs = Math.min(restMs, maxTimerMs)
      timer = setTimeout(() => (restMs > stepMs ? wait(restMs - stepMs) : call()), stepMs)
      timer.unref()
    }
    wait(delayMs)
    return () => clearTimeout(timer)
  },
}
