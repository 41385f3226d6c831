import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readBatchOutput } from './batch-output.js'
import { cpuOfChildren } from './cpu-of-children.js'
import { longSuites, ordinarySeconds } from './long-suites.js'
import { readUvuOutput } from './read-uvu-output.js'

const closingBlock = '  Duration: '
/** How long all files of a batch may take. */
const batchSeconds = 600
/** How long a process may stay after its tests are done. */
const lingerSeconds = 30

/** The result of one suite: a test file, or the linter. */
export interface SuiteResult {
  readonly name: string
  readonly seconds: number
  readonly cpuSeconds: number
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly skipReasons: readonly string[]
  /** What kept its process from ending after its tests were done; a leak of the test, not a failure of what it tests. */
  readonly leftOpen: readonly string[]
  /** Whether it failed before, in a process with others. */
  readonly isSecondRun?: boolean
  /** Why the suite failed, one line each; empty when it passed. */
  readonly problems: readonly string[]
  /** Everything it printed. */
  readonly output: string
}

/** Runs one compiled test file in a process of its own. */
export async function runTestFile(root: string, file: string): Promise<SuiteResult> {
  const limit = longSuites[file] ?? ordinarySeconds
  const words = ['--import', new URL('end-when-asked.js', import.meta.url).href, join('dist', file)]
  const { output, ending, ...cost } = await runProcess(process.execPath, words, root, limit)
  return { ...judge(file, output, ending), ...cost }
}

/**
 * Runs several files in one process. Those that did not pass in it are rerun alone: a file that another one disturbs would otherwise be
 * blamed for it.
 */
export async function runBatch(root: string, files: readonly string[]): Promise<SuiteResult[]> {
  const [first = ''] = files
  if (files.length === 1) return [await runTestFile(root, first)]
  const alone = async (some: readonly string[]) => {
    const results: SuiteResult[] = []
    for (const file of some) results.push({ ...(await runTestFile(root, file)), isSecondRun: result.failed > 0 })
    return results
  }
  const program = fileURLToPath(new URL('run-batch.js', import.meta.url))
  const words = ['--import', new URL('end-when-asked.js', import.meta.url).href, program]
  const pathOf = (file: string) => join(root, 'dist', file)
  const paths = files.map(pathOf)
  const { output, ending, ...cost } = await runProcess(process.execPath, [...words, ...paths], root, batchSeconds)
  const folder = first
    .split('/')
    .slice(0, first.startsWith('test/') ? 2 : 1)
    .join('/')
  const result = { ...judge(`${folder} (${files.length} files)`, output, ending), ...cost }
  if (result.failed === 0 && result.skipReasons.length === 0) return [result]
  const { passed, unclear, tests, otherOutput } = readBatchOutput(output, paths)
  // Where each file says that it passed, but their process failed, any of them may be why.
  const suspects = unclear.length === 0 ? files : files.filter(file => unclear.includes(pathOf(file)))
  console.log(
    `once more, alone, of ${result.name}: ${suspects.join(', ')} (${result.problems.join('; ')})\n${otherOutput.trimEnd()}`,
  )
  if (suspects.length === files.length) return alone(files)
  const name = `${folder} (${passed.length} files)`
  const good = { ...result, name, passed: tests, failed: 0, skipped: 0, skipReasons: [], problems: [], output: '' }
  return [good, ...(await alone(suspects))]
}

/** Turns what a test process printed and how it ended into a verdict. */
export function judge(name: string, output: string, ending: string): Omit<SuiteResult, 'seconds' | 'cpuSeconds'> {
  const counts = readUvuOutput(output)
  const isSkipped = counts.skipReasons.length > 0
  const problems: string[] = []
  if (ending !== '') problems.push(ending)
  // uvu exits 0 when a hook throws, so the counts are the evidence, not the exit code alone.
  if (counts.passed < counts.total) problems.push(`${counts.total - counts.passed} of ${counts.total} tests failed`)
  // uvu silently drops a suite if it cannot print an error, such as one with `details` that are not a string.
  if (counts.passed < counts.total && !output.includes(' FAIL ')) problems.push('the suite broke off')
  if (counts.total === 0 && !isSkipped) problems.push('ran no test')
  if (isSkipped && process.env['CI'] === 'true') problems.push(`skipped in CI: ${counts.skipReasons.join('; ')}`)
  const failed = counts.total - counts.passed
  return {
    name,
    passed: counts.passed,
    failed: problems.length > 0 ? Math.max(1, failed) : 0,
    skipped: counts.skipped + counts.skipReasons.length,
    skipReasons: counts.skipReasons,
    leftOpen: counts.leftOpen,
    problems,
    output,
  }
}

/** Runs a program to its end. `ending` is empty after exit 0, otherwise it says how the program ended. */
export function runProcess(
  program: string,
  args: readonly string[],
  cwd: string,
  limitSeconds: number,
  graceSeconds = lingerSeconds,
): Promise<{ output: string; seconds: number; cpuSeconds: number; ending: string }> {
  const started = Date.now()
  return new Promise(resolve => {
    // A separate process group, so that everything that the file leaves running is stopped with it.
    const child = spawn(program, args, {
      cwd,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    })
    const chunks: Buffer[] = []
    let isLate = false
    const stopGroup = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // Nothing was left running.
      }
    }
    const timer = setTimeout(() => {
      isLate = true
      stopGroup()
    }, limitSeconds * 1000)
    let lingering: NodeJS.Timeout | undefined
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      if (chunk.includes(closingBlock)) lingering ??= setTimeout(() => child.kill('SIGUSR2'), graceSeconds * 1000)
    })
    child.stderr.on('data', chunk => chunks.push(chunk))
    child.on('error', error => chunks.push(Buffer.from(`${error.message}\n`)))
    // A child that outlives the file would hold its pipes open, so the group goes as soon as the file has ended.
    let cpuSeconds = 0
    child.on('exit', () => {
      stopGroup()
      cpuSeconds = sinceLastEnd()
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      clearTimeout(lingering)
      const ending = isLate
        ? `not finished after ${limitSeconds} s`
        : code === 0
          ? ''
          : `ended with ${signal ?? `exit code ${code}`}`
      const seconds = (Date.now() - started) / 1000
      resolve({ output: Buffer.concat(chunks).toString(), seconds, cpuSeconds, ending })
    })
  })
}

let cpuBefore = cpuOfChildren()
/** CPU time of the process that has just ended: processes that ended before it are counted already. */
function sinceLastEnd(): number {
  const before = cpuBefore
  cpuBefore = cpuOfChildren()
  return cpuBefore - before
}
