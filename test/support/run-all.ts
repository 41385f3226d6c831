import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { batchesOf } from './batches.js'
import { findTests } from './find-tests.js'
import { longSuites, waitingSuites } from './long-suites.js'
import { runBatch, runProcess, runTestFile, type SuiteResult } from './run-test-file.js'

/**
 * `npm test`: the linter, then every compiled test file. Small files of one folder share a process.
 *
 *   node dist/test/support/run-all.js [--list] [--once] [part of a path ...]
 *
 * The last line is `N passed, N failed` over everything that ran.
 *
 * A file that fails next to others is rerun at the end, alone: many tests wait for real elections, commits and
 * processes, and a busy machine can exceed any timeout. Only the second verdict counts, the first
 * is printed and the file is named as unsteady at the end. `--once` leaves that out. So is a file that fails in a process with others
 * and passes in one of its own.
 */
const root = fileURLToPath(new URL('../../..', import.meta.url))
const filesAtOnce = 3
const lintName = 'lint'
const lintSeconds = 120
/** More failures than this are not caused by load, and rerunning them would take too long. */
const maxSecondRuns = 4

async function lint(): Promise<SuiteResult> {
  const program = join(root, 'node_modules/.bin/biome')
  const { output, ending, ...cost } = await runProcess(program, ['check', '.'], root, lintSeconds)
  const isClean = ending === ''
  return {
    name: lintName,
    ...cost,
    passed: isClean ? 1 : 0,
    failed: isClean ? 0 : 1,
    skipped: 0,
    skipReasons: [],
    leftOpen: [],
    problems: isClean ? [] : [ending],
    output,
  }
}

function report(result: SuiteResult): void {
  const verdict = result.failed > 0 ? 'FAIL' : result.skipReasons.length > 0 ? 'SKIP' : 'ok  '
  const notes = result.failed > 0 ? result.problems : result.skipReasons
  const counts = `${result.passed} passed${result.failed > 0 ? `, ${result.failed} failed` : ''}`
  const leaks = result.leftOpen.map(what => `its process did not end by itself: ${what}`)
  const ending = [...notes, ...leaks].join('; ')
  console.log(
    `${verdict} ${result.seconds.toFixed(1).padStart(6)} s  ${result.cpuSeconds.toFixed(1).padStart(6)} s cpu  ${result.name}  ${counts}${ending && `: ${ending}`}`,
  )
  if (result.failed > 0) console.log(`${result.output.trimEnd()}\n--- end of ${result.name}`)
}

async function runAll(filters: readonly string[], isOnce: boolean): Promise<number> {
  const isChosen = (name: string) => filters.length === 0 || filters.some(filter => name.includes(filter))
  const files = findTests(root).filter(isChosen)
  const queue = files.sort((left, right) => (longSuites[right] ?? 0) - (longSuites[left] ?? 0))
  const results: SuiteResult[] = []
  const done = (result: SuiteResult) => {
    results.push(result)
    report(result)
  }
  if (isChosen(lintName)) done(await lint())
  const work = async (through: string[][]) => {
    for (let batch = through.shift(); batch; batch = through.shift())
      for (const result of await runBatch(root, batch)) done(result)
  }
  const waiting = queue.filter(file => waitingSuites.has(file)).map(file => [file])
  const others = batchesOf(queue.filter(file => !waitingSuites.has(file)))
  await Promise.all([work(waiting), ...Array.from({ length: filesAtOnce }, () => work(others))])
  const steadyAlone = results.filter(({ isSecondRun, failed }) => isSecondRun && failed === 0).map(({ name }) => name)
  const unsteady = [...steadyAlone, ...(isOnce ? [] : await runAgain(results))]

  const sum = (count: 'passed' | 'failed' | 'skipped') => results.reduce((all, result) => all + result[count], 0)
  const failing = results.filter(result => result.failed > 0)
  if (failing.length > 0) console.log(`\nfailing: ${failing.map(result => result.name).join(', ')}`)
  if (unsteady.length > 0) console.log(`\nunsteady, passed when run again alone: ${unsteady.join(', ')}`)
  const skipped = sum('skipped')
  console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  return results.length > 0 && failing.length === 0 ? 0 : 1
}

/** Reruns failed files alone and replaces their results; returns the names of those that passed. */
async function runAgain(results: SuiteResult[]): Promise<string[]> {
  const failing = results.filter(({ name, failed }) => failed > 0 && name !== lintName)
  if (failing.length > maxSecondRuns) return []
  const passing: string[] = []
  for (const first of failing) {
    console.log(`\nonce more, alone: ${first.name}`)
    const second = await runTestFile(root, first.name)
    report(second)
    results[results.indexOf(first)] = second
    if (second.failed === 0) passing.push(first.name)
  }
  return passing
}

const [options, filters] = [
  process.argv.slice(2).filter(word => word.startsWith('--')),
  process.argv.slice(2).filter(word => !word.startsWith('--')),
]
const unknown = options.filter(option => !['--list', '--once'].includes(option))
if (unknown.length > 0) {
  console.error(`unknown option ${unknown.join(', ')}: run-all.js [--list] [--once] [part of a path ...]`)
  process.exitCode = 2
} else if (options.includes('--list')) {
  for (const file of findTests(root).filter(name => filters.length === 0 || filters.some(f => name.includes(f))))
    console.log(file)
} else {
  process.exitCode = await runAll(filters, options.includes('--once'))
}
