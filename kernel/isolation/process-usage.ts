import { readFileSync } from 'node:fs'
import type { JsonObject } from '../../libs/json/index.js'

/** What a process uses. */
export interface ProcessUsage {
  /** Of its own, not what it shares with others, and what was swapped out. */
  readonly memoryBytes: number
  readonly cpuSeconds: number
}

/** What Linux says; undefined on other systems, and for a process that is gone. */
export function usageOf(pid: number): ProcessUsage | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const kilobytes = ['RssAnon', 'RssShmem', 'VmSwap'].map(name => fieldOf(status, name))
    return { memoryBytes: 1024 * kilobytes.reduce((sum, each) => sum + each, 0), cpuSeconds: cpuSecondsOf(pid) }
  } catch {
    return undefined
  }
}

const fieldOf = (status: string, name: string): number => {
  const at = status.indexOf(`\n${name}:`)
  return at < 0 ? 0 : Number.parseInt(status.slice(at + name.length + 2), 10)
}

/** The unit of times in /proc, whatever the machine. */
const ticksPerSecond = 100
function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the program comes first, and may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** What a process says of itself, which counts only where the system does not tell. */
export function reportedUsage({ memoryBytes, cpuSeconds }: JsonObject): ProcessUsage | undefined {
  if (process.platform === 'linux') return undefined
  return typeof memoryBytes === 'number' && typeof cpuSeconds === 'number' ? { memoryBytes, cpuSeconds } : undefined
}
