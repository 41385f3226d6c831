import { readFileSync } from 'node:fs'

/** CPU time of the main thread so far, in milliseconds. That of other threads, such as those that collect garbage, is not in it. */
const cpuMs = (): number => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

/** Short compared with relevant holds; checking in every turn would cost CPU. */
const lookMs = 2

export interface Holds {
  /** The longest that one piece of work held the event loop, in milliseconds of CPU time. */
  readonly longestMs: number
  readonly allMs: number
}

/**
 * Watches how long the event loop of this process is held, in CPU time: what else the machine does is no matter. Returns what ends it.
 * Clients must be elsewhere; see `askFromThread`.
 */
export function watchEventLoop(): () => Holds {
  const begin = cpuMs()
  let last = begin
  let longestMs = 0
  let isWatching = true
  const look = () => {
    const now = cpuMs()
    longestMs = Math.max(longestMs, now - last)
    last = now
    if (isWatching) setTimeout(look, lookMs)
  }
  setTimeout(look, lookMs)
  return () => {
    isWatching = false
    longestMs = Math.max(longestMs, cpuMs() - last)
    return { longestMs, allMs: cpuMs() - begin }
  }
}
