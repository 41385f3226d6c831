import { readFileSync } from 'node:fs'
import type { JsonObject } from '../../libs/json/index.js'

/** The resource usage of a process. */
export interface ProcessUsage {
  /** Its private memory, including what was swapped out, without memory that it shares with other processes. */
  readonly memoryBytes: number
  readonly cpuSeconds: number
}

/** As reported by Linux; undefined on other systems, and for a process that is gone. */
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

/** The unit of times in /proc, on every machine. */
const ticksPerSecond = 100
function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the program comes first, and may contain any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** The usage that a process reports itself, which is used only if the system does not report it. */
export function reportedUsage({ memoryBytes, cpuSeconds }: JsonObject): ProcessUsage | undefined {
  if (process.platform === 'linux') return undefined
  return typeof memoryBytes === 'number' && typeof cpuSeconds === 'number' ? { memoryBytes, cpuSeconds } : undefined
}
