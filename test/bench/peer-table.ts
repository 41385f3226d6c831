import { median } from './process-figures.js'
import { isMoreBetter, type Metrics } from './scenario.js'

/** All runs of a scenario, by target. */
export type Measured = Map<string, Map<string, Metrics[]>>

/** About the client and the machine, not about the server. */
const left = ['client cpu %', 'other cpu %', 'data MB/s', 'resumed']
/** A difference of less is noise. */
const noise = 1.05

/** A table in Markdown: medians, one column for each target. The last one names the columns that are behind the first, the peer. */
export function peerTable(measured: Measured, targets: readonly string[]): string[] {
  const row = (...cells: string[]) => `| ${cells.join(' | ')} |`
  const lines = [
    row('', ...targets, 'behind the peer'),
    row(...Array.from({ length: targets.length + 2 }, () => '---')),
  ]
  for (const [scenario, byTarget] of measured) {
    const metrics = new Set([...byTarget.values()].flatMap(runs => runs.flatMap(run => Object.keys(run))))
    for (const metric of metrics) {
      if (left.includes(metric)) continue
      const values = targets.map(target => medianOf(byTarget.get(target), metric))
      const [peer = Number.NaN] = values
      const behind = targets.filter((_, index) => isBehind(values[index] ?? Number.NaN, peer, metric))
      lines.push(row(`${scenario}: ${metric}`, ...values.map(shown), behind.join('; ')))
    }
  }
  return lines
}

const medianOf = (runs: readonly Metrics[] = [], metric: string) =>
  runs.length === 0 ? Number.NaN : median(runs.map(run => run[metric] ?? Number.NaN))

const isBehind = (value: number, peer: number, metric: string) =>
  isMoreBetter(metric) ? value * noise < peer : value > peer * noise

function shown(value: number): string {
  if (Number.isNaN(value)) return ''
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : value >= 1 ? 2 : 3)
}
