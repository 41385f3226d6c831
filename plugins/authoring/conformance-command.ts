import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type CommandDefinition, isolationGrades } from 'orch/sdk'
import type { CheckResult, ConformanceEngine } from 'orch/sdk/testing'
import { readCommandLine, refuse } from './command-line.js'

const text = { type: 'string' } as const
const options = {
  only: text,
  seed: text,
  samples: text,
  vendor: text,
  isolation: text,
  'etcd-servers': text,
  'etcd-cafile': text,
  'etcd-certfile': text,
  'etcd-keyfile': text,
  json: { type: 'boolean' },
  junit: text,
} as const
type Values = Partial<Record<Exclude<keyof typeof options, 'json'>, string>>

/** `orch conformance PLUGIN`: tests everything that a plugin registers. */
export const conformanceCommand: CommandDefinition = {
  name: 'conformance',
  usage:
    'conformance PLUGIN [--only TEXT] [--seed N] [--samples N] [--vendor NAME] [--isolation GRADE] [--etcd-servers URLS] [--json] [--junit FILE]',
  summary: 'Run the conformance checks for a plugin: a path, a package name, or orch/plugins/NAME.',
  async run(argv, context) {
    const { values, positionals, problem } = readCommandLine(argv, options)
    const [plugin] = positionals
    if (plugin === undefined || argv[0]?.startsWith('-')) {
      return refuse(context, 'conformance needs a plugin: ./plugin.ts')
    }
    if (problem !== undefined) return refuse(context, `conformance ${problem}`)
    const { only, vendor, junit, seed, samples } = values
    const isolation = isolationGrades.find(each => each === (values.isolation ?? 'in-process'))
    if (!isolation) return refuse(context, `conformance --isolation must be one of ${isolationGrades.join(', ')}`)
    const engine = etcdEngine(values)
    // Loaded lazily: it is large, and the server does not need it.
    const kit = await import('orch/sdk/testing')
    const report = await kit.pluginConformance({
      plugin,
      isolation,
      fromDir: context.workingDir,
      onResult: progress(values.json ? context.err : context.out, kit.describeCheck),
      ...(engine ? { engine } : {}),
      ...(only === undefined ? {} : { only }),
      ...(vendor === undefined ? {} : { vendor }),
      ...wholeNumber('seed', seed),
      ...wholeNumber('samples', samples),
    })
    if (junit !== undefined) writeFileSync(resolve(context.workingDir, junit), kit.junitReport(report))
    if (values.json) context.out(`${JSON.stringify(report, null, 2)}\n`)
    else context.out(`\n${kit.describeFailures(report)}`)
    if (report.results.length === 0) context.err('orch: no check was run. See orch help.\n')
    return report.failed > 0 || report.results.length === 0 ? 1 : 0
  },
}

const wholeNumber = (name: string, value: string | undefined) =>
  value !== undefined && Number.isInteger(Number(value)) ? { [name]: Number(value) } : {}

/** Prints every result as it arrives, under its subject. */
function progress(print: (text: string) => void, lines: (result: CheckResult) => string) {
  let subject: string | undefined
  return (result: CheckResult) => {
    if (subject !== result.subject) print(`${subject === undefined ? '' : '\n'}${result.subject}\n`)
    subject = result.subject
    print(lines(result))
  }
}

/** etcd instead of the embedded engine. Every run uses a prefix of its own. */
function etcdEngine(values: Values): ConformanceEngine | undefined {
  const servers = values['etcd-servers']
  if (servers === undefined) return undefined
  const file = (flag: keyof Values, key: string) => (values[flag] === undefined ? {} : { [key]: values[flag] })
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
