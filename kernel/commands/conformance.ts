import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { peekFlag } from '../boot/parse-flags.js'
import type { CheckResult, ConformanceEngine } from '../conformance/load-conformance.js'
import type { Command, CommandLine } from './command-line.js'

const etcdFlags = ['etcd-servers', 'etcd-cafile', 'etcd-certfile', 'etcd-keyfile']
const flags = ['json', 'junit', 'only', 'seed', 'samples', 'vendor', ...etcdFlags]

/** `orch conformance PLUGIN`: tries everything that a plugin brings. */
export const conformanceCommand: Command = {
  name: 'conformance',
  usage:
    'conformance PLUGIN [--only TEXT] [--seed N] [--samples N] [--vendor NAME] [--etcd-servers URLS] [--json] [--junit FILE]',
  summary: 'Try everything that a plugin brings: a path, a package name, or orch/plugins/NAME.',
  async run(line) {
    const [plugin] = line.words
    if (plugin === undefined || plugin.startsWith('-')) return refuse(line, 'conformance needs a plugin: ./plugin.ts')
    const unknown = line.words.find(word => word.startsWith('--') && !flags.includes(word.slice(2).split('=')[0] ?? ''))
    if (unknown) return refuse(line, `conformance has no flag ${unknown}`)
    const [seed, samples] = ['seed', 'samples'].map(name => Number(peekFlag(line.words, name) ?? Number.NaN))
    const [only, vendor] = ['only', 'vendor'].map(name => peekFlag(line.words, name))
    const engine = etcdEngine(line.words)
    const isJson = line.words.includes('--json')
    const kit = await import('../conformance/index.js')
    const report = await kit.runConformance({
      plugin,
      fromDir: line.workingDir,
      onResult: progress(isJson ? line.err : line.out, kit.resultLines),
      ...(engine ? { engine } : {}),
      ...(only === undefined ? {} : { only }),
      ...(vendor === undefined ? {} : { vendor }),
      ...(Number.isInteger(seed) ? { seed } : {}),
      ...(Number.isInteger(samples) ? { samples } : {}),
    })
    const file = peekFlag(line.words, 'junit')
    if (file !== undefined) writeFileSync(resolve(line.workingDir, file), kit.junitReport(report))
    if (isJson) line.out(`${JSON.stringify(report, null, 2)}\n`)
    else line.out(`\n${kit.failuresIn(report)}${kit.summaryOf(report)}`)
    if (report.results.length === 0) line.err('orch: no check was run. See orch help.\n')
    return report.failed > 0 || report.results.length === 0 ? 1 : 0
  },
}

/** Every result as it comes, under its subject. */
function progress(print: (text: string) => void, lines: (result: CheckResult) => string) {
  let subject: string | undefined
  return (result: CheckResult) => {
    if (subject !== result.subject) print(`${subject === undefined ? '' : '\n'}${result.subject}\n`)
    subject = result.subject
    print(lines(result))
  }
}

/** The engine for several machines instead of the embedded one. Every server of the run keeps its objects apart. */
function etcdEngine(words: readonly string[]): ConformanceEngine | undefined {
  const servers = peekFlag(words, 'etcd-servers')
  if (servers === undefined) return undefined
  const file = (flag: string, key: string) => {
    const path = peekFlag(words, flag)
    return path === undefined ? {} : { [key]: path }
  }
  return {
    plugins: ['orch/plugins/storage-etcd'],
    options: () => ({
      storageEngine: 'etcd',
      etcdServers: servers.split(','),
      etcdPrefix: `/conformance-${randomBytes(6).toString('hex')}`,
      ...file('etcd-cafile', 'etcdCafile'),
      ...file('etcd-certfile', 'etcdCertfile'),
      ...file('etcd-keyfile', 'etcdKeyfile'),
    }),
  }
}

function refuse(line: CommandLine, why: string): number {
  line.err(`orch: ${why}. See orch help.\n`)
  return 2
}
