/** What several files that shared a process printed. */
export interface BatchOutput {
  /** Files whose tests all passed. */
  readonly passed: readonly string[]
  /** Files that failed, were skipped or never finished: only a process of their own tells. */
  readonly unclear: readonly string[]
  /** Tests of the files that passed. */
  readonly tests: number
  /** What the tests of the unclear files printed. */
  readonly otherOutput: string
}

/** The line that `run-batch.ts` prints when a file is loaded. */
export const loadedLine = (path: string): string => `LOADED ${path}`

/**
 * Divides the output of a batch among its files: everything before the line `LOADED path` was printed while that file was loaded, and what
 * follows the line with nothing but its path, up to the next path or the closing block, while its tests ran.
 */
export function readBatchOutput(output: string, paths: readonly string[]): BatchOutput {
  const passed: string[] = []
  const unclear: string[] = []
  let tests = 0
  let otherOutput = ''
  for (const [index, path] of paths.entries()) {
    const previous = paths[index - 1]
    const loading = between(output, previous === undefined ? '' : `${loadedLine(previous)}\n`, `${loadedLine(path)}\n`)
    const next = paths[index + 1]
    const running = between(output, `\n${path}\n`, next === undefined ? '\n  Total: ' : `\n${next}\n`)
    const counts = [...(running ?? '').matchAll(/ {2}\((\d+) \/ (\d+)\)$/gm)].map(([, ran, all]) => [
      Number(ran),
      Number(all),
    ])
    const isFine =
      loading !== undefined &&
      running !== undefined &&
      !/^SKIP /m.test(loading + running) &&
      !running.includes(' FAIL ') &&
      counts.length > 0 &&
      counts.every(([ran, all]) => ran === all)
    if (isFine) tests += counts.reduce((sum, [ran = 0]) => sum + ran, 0)
    else otherOutput += `${path}\n${running ?? ''}\n`
    ;(isFine ? passed : unclear).push(path)
  }
  return { passed, unclear, tests, otherOutput }
}

/** The text between two marks; undefined if one is missing. */
function between(text: string, start: string, end: string): string | undefined {
  const from = text.indexOf(start)
  if (from < 0) return undefined
  const to = text.indexOf(end, from + start.length)
  return to < 0 ? undefined : text.slice(from + start.length, to)
}
