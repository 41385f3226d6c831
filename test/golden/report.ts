import { byText } from './canonical-order.js'
import type { ScenarioResult } from './run-scenario.js'

export interface AreaCounts {
  scenarios: number
  /** Scenarios without a difference. */
  whole: number
  passed: number
  failed: number
}
export interface Totals {
  readonly areas: Readonly<Record<string, AreaCounts>>
  readonly passed: number
  readonly failed: number
  readonly excepted: number
}

export function totalsOf(results: readonly ScenarioResult[]): Totals {
  const areas: Record<string, AreaCounts> = {}
  for (const { area, passed, failed } of results) {
    const counts = (areas[area] ??= { scenarios: 0, whole: 0, passed: 0, failed: 0 })
    counts.scenarios++
    if (failed === 0) counts.whole++
    counts.passed += passed
    counts.failed += failed
  }
  const sum = (part: 'passed' | 'failed' | 'excepted') => results.reduce((all, result) => all + result[part], 0)
  return { areas, passed: sum('passed'), failed: sum('failed'), excepted: sum('excepted') }
}

/** The first difference of every failing step, counts per area, and the closing line. */
export function reportLines(results: readonly ScenarioResult[]): string[] {
  const { areas, passed, failed, excepted } = totalsOf(results)
  const whole = results.filter(result => result.failed === 0).length
  const compared = results.reduce((all, result) => all + result.assertions, 0)
  return [
    ...results.flatMap(({ file, failures }) =>
      failures.map(({ step, what, difference }) => `FAIL ${file} step ${step} ${what}\n     ${difference}`),
    ),
    ...Object.entries(areas)
      .sort(([left], [right]) => byText(left, right))
      .map(
        ([area, counts]) =>
          `${area.padEnd(24)} scenarios ${counts.whole}/${counts.scenarios}  steps ${counts.passed}/${counts.passed + counts.failed}`,
      ),
    `${whole} of ${results.length} scenarios without a difference, ${compared} values compared, ${excepted} steps excepted`,
    `${passed} passed, ${failed} failed`,
  ]
}
