import { readdirSync, readFileSync } from 'node:fs'

const msPerTick = 10

/** Milliseconds of the monotonic clock, comparable between processes. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1e3 + nanoseconds / 1e6
}

/** CPU time that processes have used, in ms. */
export function cpuMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return sum + (Number(fields[11]) + Number(fields[12])) * msPerTick
  }, 0)
}

/** CPU time of all running threads of a process, in ms, with microsecond resolution. */
export const threadsCpuMs = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const nanoseconds = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]
    return sum + Number(nanoseconds) / 1e6
  }, 0)

/** CPU time of the main thread of a process, in ms, with microsecond resolution. */
export const threadCpuMs = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

/** Busy time of the whole machine, over all cores, in ms. */
export function machineBusyMs(): number {
  const [, user, nice, system, , , irq, softirq, steal] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '')
    .split(/\s+/)
    .map(Number)
  return [user, nice, system, irq, softirq, steal].reduce<number>((sum, ticks) => sum + (ticks ?? 0), 0) * msPerTick
}

/** Private memory of processes: without the mapped store, which the system can evict at any time. */
export function privateMiB(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const kib = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return sum + Number(kib) / 1024
  }, 0)
}

const sampleEveryMs = 20
/** Samples the private memory of processes during some work, and returns its maximum growth. */
export async function withMemory<T>(pids: readonly number[], work: () => Promise<T>): Promise<[T, growthMiB: number]> {
  const base = privateMiB(pids)
  let peak = base
  const sample = () => {
    peak = Math.max(peak, privateMiB(pids))
  }
  const timer = setInterval(sample, sampleEveryMs)
  try {
    const result = await work()
    sample()
    return [result, peak - base]
  } finally {
    clearInterval(timer)
  }
}

/** The percentile of sorted numbers. */
export const percentile = (sorted: ArrayLike<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((left, right) => left - right)
  const half = sorted.length >> 1
  return sorted.length % 2 === 1 ? (sorted[half] ?? Number.NaN) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2
}
