import { type Check, SeededFailure } from './check.js'

/** The result of one check. */
export interface CheckResult {
  readonly subject: string
  readonly title: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it failed or was skipped. */
  readonly message?: string
  /** The command that runs this check alone. */
  readonly reproduce?: string
  readonly ms: number
}
/** The results of all checks of a plugin. */
export interface ConformanceReport {
  readonly plugin: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly results: readonly CheckResult[]
}

/** Runs one check and returns its result. */
export async function resultOf(check: Check, command: string): Promise<CheckResult> {
  const { subject, title } = check
  const startedAt = performance.now()
  const end = () => Math.round(performance.now() - startedAt)
  try {
    const reason = await check.run()
    if (reason === undefined) return { subject, title, outcome: 'passed', ms: end() }
    return { subject, title, outcome: 'skipped', message: reason, ms: end() }
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    const seed = thrown instanceof SeededFailure ? ` --seed ${thrown.seed} --samples 1` : ''
    const reproduce = `${command} --only ${JSON.stringify(`${subject}: ${title}`)}${seed}`
    return { subject, title, outcome: 'failed', message, reproduce, ms: end() }
  }
}

export function reportOf(plugin: string, results: readonly CheckResult[]): ConformanceReport {
  const count = (outcome: CheckResult['outcome']) => results.filter(each => each.outcome === outcome).length
  return { plugin, passed: count('passed'), failed: count('failed'), skipped: count('skipped'), results }
}

const marks = { passed: 'ok  ', failed: 'FAIL', skipped: 'skip' } as const

/** One result as a line of text, with the command that reproduces a failure. */
export function describeCheck({ outcome, title, message, reproduce }: CheckResult): string {
  const why = message === undefined ? '' : `\n       ${message.replaceAll('\n', '\n       ')}`
  const again = reproduce === undefined ? '' : `\n       again: ${reproduce}`
  return `  ${marks[outcome]} ${title}${why}${again}\n`
}

/**
 * The end of a report whose results were printed as they came: the failures again, grouped by subject, and the counts.
 */
export function describeFailures(report: ConformanceReport): string {
  const failed = report.results.filter(({ outcome }) => outcome === 'failed')
  return failed.map(result => `${result.subject}\n${describeCheck(result)}`).join('') + countsOf(report)
}

const countsOf = ({ plugin, passed, failed, skipped }: ConformanceReport): string =>
  `${plugin}: ${passed} passed, ${failed} failed, ${skipped} skipped\n`

/** A report for people: what passed, what failed, and how to reproduce it. */
export function describeConformance(report: ConformanceReport): string {
  const subjects = [...new Set(report.results.map(each => each.subject))]
  const sections = subjects.map(subject => {
    const lines = report.results.filter(each => each.subject === subject).map(describeCheck)
    return `${subject}\n${lines.join('')}`
  })
  return `${sections.join('\n')}\n${countsOf(report)}`
}

/** A report for build servers: JUnit's XML. */
export function junitReport({ plugin, results, failed, skipped }: ConformanceReport): string {
  const cases = results.map(({ subject, title, outcome, message = '', reproduce = '', ms }) => {
    const inner =
      outcome === 'failed'
        ? `<failure message="${escaped(message)}">${escaped(reproduce)}</failure>`
        : outcome === 'skipped'
          ? `<skipped message="${escaped(message)}"/>`
          : ''
    const name = `classname="${escaped(subject)}" name="${escaped(title)}" time="${(ms / 1000).toFixed(3)}"`
    return `  <testcase ${name}>${inner}</testcase>`
  })
  const counts = `tests="${results.length}" failures="${failed}" skipped="${skipped}"`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="${escaped(plugin)}" ${counts}>\n${cases.join('\n')}\n</testsuite>\n`
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
}
const escaped = (text: string) =>
  text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, '?').replace(/[&<>"\n]/g, character => escapes[character] ?? '')
