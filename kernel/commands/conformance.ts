import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { peekFlag } from '../boot/parse-flags.js'
import type { Command, CommandLine } from './command-line.js'

const flags = ['json', 'junit', 'only', 'seed', 'samples']

/** `orch conformance PLUGIN`: tries everything that a plugin brings. */
export const conformanceCommand: Command = {
  name: 'conformance',
  usage: 'conformance PLUGIN [--only TEXT] [--seed N] [--samples N] [--json] [--junit FILE]',
  summary: 'Try everything that a plugin brings: a path, a package name, or orch/plugins/NAME.',
  async run(line) {
    const [plugin] = line.words
    if (plugin === undefined || plugin.startsWith('-')) return refuse(line, 'conformance needs a plugin: ./plugin.ts')
    const unknown = line.words.find(word => word.startsWith('--') && !flags.includes(word.slice(2).split('=')[0] ?? ''))
    if (unknown) return refuse(line, `conformance has no flag ${unknown}`)
    const [seed, samples] = ['seed', 'samples'].map(name => Number(peekFlag(line.words, name) ?? Number.NaN))
    const only = peekFlag(line.words, 'only')
    const { runConformance, textReport, junitReport } = await import('../conformance/index.js')
    const report = await runConformance({
      plugin,
      fromDir: line.workingDir,
      ...(only === undefined ? {} : { only }),
      ...(Number.isInteger(seed) ? { seed } : {}),
      ...(Number.isInteger(samples) ? { samples } : {}),
    })
    const file = peekFlag(line.words, 'junit')
    if (file !== undefined) writeFileSync(resolve(line.workingDir, file), junitReport(report))
    line.out(line.words.includes('--json') ? `${JSON.stringify(report, null, 2)}\n` : textReport(report))
    return report.failed > 0 || report.results.length === 0 ? 1 : 0
  },
}

function refuse(line: CommandLine, why: string): number {
  line.err(`orch: ${why}. See orch help.\n`)
  return 2
}
