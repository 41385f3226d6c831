/** What a test file said about itself. */
export interface SuiteCounts {
  readonly total: number
  readonly passed: number
  readonly skipped: number
  /** Reasons of the lines `SKIP <reason>`: what could not run here. */
  readonly skipReasons: readonly string[]
  /** Of the lines `LEFT OPEN <what>`: see end-when-asked.ts. */
  readonly leftOpen: readonly string[]
}

/** Reads the closing block that uvu prints, and the lines by which a file says that it cannot run here. */
export function readUvuOutput(output: string): SuiteCounts {
  const sum = (label: string) =>
    [...output.matchAll(new RegExp(`^ {2}${label}: +(\\d+)$`, 'gm'))].reduce((all, match) => all + Number(match[1]), 0)
  const lines = (start: string) =>
    [...output.matchAll(new RegExp(`^${start} (.+)$`, 'gm'))].map(match => match[1] ?? '')
  return {
    total: sum('Total'),
    passed: sum('Passed'),
    skipped: sum('Skipped'),
    skipReasons: lines('SKIP'),
    leftOpen: lines('LEFT OPEN'),
  }
}
