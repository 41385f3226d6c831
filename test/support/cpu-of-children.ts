import { readFileSync } from 'node:fs'

const ticksPerSecond = 100

/**
 * Seconds of CPU time of all processes that this one has started and that have ended, with theirs. Two readings around the end of a process
 * tell what it cost, however busy the machine was. 0 where the system does not tell.
 */
export function cpuOfChildren(): number {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    // The name of the program, in brackets, may contain anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond
  } catch {
    return 0
  }
}
