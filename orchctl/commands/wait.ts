import type { ApiObject } from 'orch/sdk'
import {
  allFlag,
  allNamespacesFlag,
  fieldSelectorFlag,
  fileFlags,
  labelSelectorFlag,
  printFlags,
} from '../arguments/shared-flags.js'
import type { Command } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { changeLocal, labelOf, localFlag } from '../objects/change-local.js'
import { followObject } from '../objects/follow-object.js'
import { forEach } from '../objects/for-each.js'
import { selectObjects } from '../objects/select-objects.js'
import { withProgress } from '../output/progress.js'
import { writtenPrinter } from '../output/written.js'
import { UsageError } from '../usage-error.js'
import { readGoal } from './wait/goals.js'

const defaultTimeoutMs = 30_000

export const wait: Command = {
  name: 'wait',
  summary: 'Wait until objects reach a state. Exit code 1 means a timeout.',
  usage: '(TYPE/NAME... | TYPE NAME... | TYPE --all | -f FILE) --for=GOAL [flags]',
  examples: [
    ['A condition', 'wait pod/web-1 --for=condition=Ready --timeout=60s'],
    ['A condition that must not hold', 'wait pod/web-1 --for=condition=Ready=false'],
    ['A field', "wait pod/web-1 --for=jsonpath='{.status.phase}'=Running"],
    ['The end of objects', 'wait pods -l app=web --for=delete'],
  ],
  flags: [
    {
      name: 'for',
      kind: 'text',
      value: 'GOAL',
      description: "delete, create, condition=NAME[=VALUE] or jsonpath='{PATH}'[=VALUE]",
      choices: ['delete', 'create', 'condition=', 'jsonpath='],
    },
    {
      name: 'timeout',
      kind: 'text',
      value: 'TIME',
      description: 'how long to wait for all of them (30s); 0 only checks',
    },
    allFlag,
    labelSelectorFlag,
    fieldSelectorFlag,
    allNamespacesFlag,
    ...fileFlags,
    localFlag,
    ...printFlags,
  ],
  async run(call) {
    const { flags, terminal } = call
    const goal = readGoal(flags.text('for'))
    const timeoutMs = flags.durationMs('timeout') ?? defaultTimeoutMs
    const endsAt = timeoutMs < 0 ? Number.POSITIVE_INFINITY : Date.now() + timeoutMs
    const print = writtenPrinter(call)
    if (flags.is('local')) {
      const met = (object: ApiObject) => {
        if (!goal.isMet(object, object)) throw new Error(`${goal.subject} is not met by ${labelOf(object)}`)
        return object
      }
      return changeLocal(call, goal.met, met)
    }
    const session = await call.session()
    const selected = await selectObjects(call, session)
    if (selected.length === 0 && !goal.mayBeMissing) throw new UsageError('no objects to wait for were found')
    let current = ''
    let met = 0
    const describe = () => `waiting for ${goal.subject} of ${current}, ${met} of ${selected.length} done`
    return withProgress(terminal, describe, () =>
      forEach(selected, terminal, async ({ collection, name, label, kind }) => {
        current = label
        // A missing object can be created, or may already be deleted; waiting for its condition is an error.
        const first = goal.mayBeMissing ? await collection.find(name) : await collection.get(name)
        let last = first
        const isMet = (object: ApiObject | undefined) => {
          last = object ?? last
          return goal.isMet(object, first)
        }
        const end = isMet(first)
          ? 'done'
          : await followObject(collection, name, isMet, { endsAt, signal: terminal.signal })
        terminal.overwrite?.('')
        if (end === 'timeout') throw new Error(`timed out waiting for ${goal.subject} of ${label}`)
        if (end === 'interrupted') return
        met++
        print({ label, kind }, goal.met, last ?? { metadata: { name } })
      }),
    ).then(code => (terminal.signal.aborted ? exitCodes.interrupted : code))
  },
}
