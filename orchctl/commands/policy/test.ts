import type { Command } from '../../command.js'
import { exitCodes } from '../../exit-codes.js'
import { readPaths } from '../../objects/read-manifests.js'
import { yamlText } from '../../output/yaml-text.js'
import { UsageError } from '../../usage-error.js'
import { type Outcome, runPlan } from './run-plan.js'
import { testPlan } from './test-plan.js'

export const policyTest: Command = {
  name: 'policy test',
  summary: 'Try admission policies on objects in files, without a server.',
  usage: 'FILE...',
  examples: [
    ['Try the policies of a folder on an object', 'policy test policies/ deployment.yaml'],
    ['As another user', 'policy test policies/ deployment.yaml --as jane --as-group developers'],
    ['Show the result of mutating policies', 'policy test policies/ deployment.yaml --show'],
  ],
  flags: [
    { name: 'recursive', short: 'R', kind: 'switch', description: 'include subfolders' },
    { name: 'show', kind: 'switch', description: 'print every object as it would be stored' },
  ],
  completes: 'nothing',
  async run({ args, flags, terminal }) {
    if (args.length === 0)
      throw new UsageError('name files with policies, bindings and objects: orchctl policy test FILE...')
    const plan = testPlan(await readPaths(args, flags.is('recursive'), terminal))
    const warn = (text: string) => terminal.log(`Warning: ${text}`)
    for (const warning of plan.warnings) warn(warning)
    const user = { name: flags.text('as'), groups: flags.list('as-group') }
    let unexpected = 0
    let count = 0
    for await (const outcome of runPlan(plan, user, warn)) {
      count++
      if (!outcome.isExpected) unexpected++
      terminal.write(described(outcome))
      if (flags.is('show') && outcome.object) terminal.write(`${yamlText(outcome.object)}\n`)
    }
    terminal.write(
      `${count} ${count === 1 ? 'object' : 'objects'}, ${count - unexpected} as expected, ${unexpected} not\n`,
    )
    return unexpected > 0 ? exitCodes.failed : exitCodes.done
  },
}

/** The object with its result, and a line for each policy that applies to it. */
function described({ subject, decisions, result, isExpected, expected, refusal }: Outcome): string {
  const lines = decisions.map(({ policy, binding, outcome, messages, actions }) => {
    const what = outcome === 'denied' || outcome === 'failed' ? actions.join(', ').toLowerCase() || 'ignored' : outcome
    const whose = binding === '' ? policy : `${policy} (binding ${binding})`
    return `  ${what.padEnd(10)} ${whose}${messages.length > 0 ? `: ${messages.join('; ')}` : ''}`
  })
  if (decisions.length === 0) lines.push('  no policy concerns it')
  if (refusal) lines.push(`  refused otherwise: ${refusal}`)
  const verdict = isExpected ? `${result}, as expected` : `${result}, expected ${expected}`
  return `${subject}: ${verdict}\n${lines.join('\n')}\n`
}
