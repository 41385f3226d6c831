import { figures } from './figures.js'
import { median } from './process-figures.js'
import { isMoreBetter, type Metrics } from './scenario.js'

const widths = [22, 28, 12, 12, 12, 12] as const
const row = (...cells: string[]) =>
  cells
    .map((cell, index) => cell.padEnd(widths[index] ?? 12))
    .join('')
    .trimEnd()

export const tableHead = row('scenario', 'metric', 'median', 'best', 'peer', 'reach')

/** The rows of one scenario: median and best of its runs, the figures of the peer, and the targets. */
export function tableRows(scenario: string, runs: readonly Metrics[]): string[] {
  return Object.keys(runs[0] ?? {}).map(metric => {
    const values = runs.map(run => run[metric] ?? Number.NaN)
    const middle = median(values)
    const best = isMoreBetter(metric) ? Math.max(...values) : Math.min(...values)
    const { peer, reach } = figures[scenario]?.[metric] ?? {}
    const isReached = reach !== undefined && (isMoreBetter(metric) ? middle >= reach : middle <= reach)
    const verdict = reach === undefined ? '' : `${shown(reach)}${isReached ? ' reached' : ' MISSED'}`
    return row(scenario, metric, shown(middle), shown(best), peer === undefined ? '' : shown(peer), verdict)
  })
}

function shown(value: number): string {
  if (Number.isNaN(value)) return '-'
  return value.toFixed(value >= 1000 ? 0 : value >= 100 ? 1 : value >= 1 ? 2 : 3)
}
