import type { ApiObject } from 'orch/sdk'
import { dryRunFlag, dryRunNote, dryRunOf, labelSelectorFlag } from '../../arguments/shared-flags.js'
import type { Call, Command } from '../../command.js'
import { forEach } from '../../objects/for-each.js'
import { type Selected, selectObjects } from '../../objects/select-objects.js'

export interface Node extends ApiObject {
  spec?: { unschedulable?: boolean; taints?: readonly Taint[] }
}
export interface Taint {
  readonly key: string
  readonly value?: string
  readonly effect: string
  readonly timeAdded?: string
}

/** The nodes that arguments and `-l` select. `node/a` is accepted, too. */
export async function selectNodes(call: Call): Promise<Selected[]> {
  const names = call.args.map(name => name.replace(/^(node|nodes|no)\//, ''))
  return selectObjects(call, await call.session(), ['nodes', ...names])
}

/** Marks a node as unschedulable or schedulable, and reports it. */
export async function markNode(call: Call, one: Selected, isClosed: boolean): Promise<void> {
  const { flags, terminal } = call
  const done = isClosed ? 'cordoned' : 'uncordoned'
  const node = (await one.collection.get(one.name)) as Node
  if ((node.spec?.unschedulable ?? false) === isClosed) return terminal.write(`${one.label} already ${done}\n`)
  const dryRun = dryRunOf(flags)
  const patch = { spec: { unschedulable: isClosed || null } }
  const fieldManager = `${(await (await call.session()).vendor()).profile.cli}-cordon`
  if (dryRun !== 'client') await one.collection.patch(one.name, patch, { fieldManager, dryRun: dryRun === 'server' })
  terminal.write(`${one.label} ${done}${dryRunNote(flags)}\n`)
}

const markCommand = (name: string, isClosed: boolean, summary: string, example: string): Command => ({
  name,
  summary,
  usage: '(NODE... | -l SELECTOR) [flags]',
  examples: [[example, `${name} node-1`]],
  flags: [labelSelectorFlag, dryRunFlag],
  completes: 'nodes',
  run: async call => forEach(await selectNodes(call), call.terminal, one => markNode(call, one, isClosed)),
})

export const cordon = markCommand('cordon', true, 'Close nodes for new Pods.', 'Running Pods continue')
export const uncordon = markCommand('uncordon', false, 'Open nodes for new Pods again.', 'After its maintenance')
