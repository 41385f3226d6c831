import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { valueAt } from '../golden/json-paths.js'
import type { Observation } from '../golden/observation.js'
import type { Step } from '../golden/scenario.js'
import { formOf, resourceOf } from './cause.js'
import type { DifferentialResult, Group } from './run-differential.js'

const longest = 400
const show = (value: unknown) => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
const messageOf = ({ body }: Observation) => {
  const message = valueAt(body, 'message')
  return typeof message === 'string' ? ` (${message.slice(0, longest)})` : ''
}
const requestLine = (step: Step) =>
  `${step.setup ? 'setup ' : ''}${formOf(step)} ${step.path}${step.as ? ` as ${String(step.as)}` : ''} ${show(step.body ?? step.bodyText ?? '')}`

function groupLines(group: Group, file: string): string[] {
  const { disagreement } = group
  const { reference, target, differences } = disagreement
  const steps = (group.scenario['steps'] as Step[]).filter(step => !step.cleanup && !step.setup)
  return [
    `${group.hits} × ${group.cause}`,
    `    ${[...group.forms].sort().join(', ')}; conversations ${group.conversations.join(', ')}; ${file}`,
    ...steps.map(step => `    > ${requestLine(step)}`),
    `    reference ${reference.seen.status}${messageOf(reference)}`,
    `    target    ${target.seen.status}${messageOf(target)}`,
    ...differences
      .slice(0, 4)
      .map(({ at, kind, expected, actual }) => `    ${at}: ${kind}, expected ${show(expected)}, got ${show(actual)}`),
  ]
}

export interface ReportHead {
  readonly seed: number
  readonly version: string | undefined
}

/** What was found, for reading. */
export function reportLines({ seed, version }: ReportHead, result: DifferentialResult): string[] {
  const { answered, conversations, groups, explained, unsteady, problems } = result
  const hits = groups.reduce((sum, group) => sum + group.hits, 0)
  return [
    ...groups.flatMap((group, index) => groupLines(group, fileOf(group, index))),
    ...[...explained].map(([reason, { hits }]) => `explained ${hits} × ${reason}`),
    ...[...unsteady].map(([cause, count]) => `unsteady ${count} × ${cause}`),
    ...problems.slice(0, 5).map(problem => `not prepared: ${problem}`),
    `seed ${seed}${version === undefined ? '' : `, version ${version}`}: ${answered} requests in ${conversations} conversations`,
    `${groups.length} unexplained causes in ${hits} conversations, ${explained.size} explained, ${unsteady.size} unsteady, ${problems.length} not prepared`,
  ]
}

const fileOf = (group: Group, index: number) =>
  `${String(index + 1).padStart(3, '0')}-${resourceOf(group.disagreement.step).replaceAll(/[^a-z0-9]+/g, '-')}.json`

/** Writes the report, for reading and for programs, and the shrunk conversations as the replayer takes them. */
export function writeReport(folder: string, head: ReportHead, result: DifferentialResult): void {
  const scenarios = join(folder, 'scenarios', 'differential')
  mkdirSync(scenarios, { recursive: true })
  writeFileSync(join(folder, 'report.txt'), `${reportLines(head, result).join('\n')}\n`)
  const { groups, explained, unsteady, ...counts } = result
  const summary = groups.map(({ cause, hits, forms, conversations, disagreement }, index) => {
    const { step, differences, reference, target } = disagreement
    return {
      cause,
      hits,
      forms: [...forms],
      conversations,
      resource: resourceOf(step),
      differences,
      reference: reference.body,
      target: target.body,
      scenario: fileOf(groups[index]!, index),
    }
  })
  const all = {
    ...head,
    ...counts,
    explained: Object.fromEntries(
      [...explained].map(([reason, { hits, samples }]) => [reason, { hits, samples: [...samples] }]),
    ),
    unsteady: Object.fromEntries(unsteady),
    groups: summary,
  }
  writeFileSync(join(folder, 'report.json'), `${JSON.stringify(all, null, 1)}\n`)
  for (const [index, group] of groups.entries()) {
    const { steps, ...rest } = group.scenario
    const name = fileOf(group, index)
    const lines = (steps as Step[]).map(step => JSON.stringify(step)).join(',\n')
    const headText = JSON.stringify({ ...rest, name: name.replace('.json', '') }).slice(0, -1)
    writeFileSync(join(scenarios, name), `${headText},"steps":[\n${lines}\n]}\n`)
  }
}
