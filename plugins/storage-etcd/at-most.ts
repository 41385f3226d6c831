import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for work to end, but no longer than `limitMs`. */
export async function atMost(limitMs: number, work: Promise<void>): Promise<void> {
  const isOver = new AbortController()
  const late = sleep(limitMs, undefined, { signal: isOver.signal }).catch(() => {})
  try {
    await Promise.race([work, late])
  } finally {
    isOver.abort()
  }
}
