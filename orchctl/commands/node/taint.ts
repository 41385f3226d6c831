import {
  allFlag,
  dryRunFlag,
  dryRunOf,
  fieldManagerFlag,
  fieldValidationOf,
  labelSelectorFlag,
  printFlags,
  validateFlag,
} from '../../arguments/shared-flags.js'
import type { Command } from '../../command.js'
import { mergedBy } from '../../objects/apply-patch.js'
import { forEach } from '../../objects/for-each.js'
import { retryConflicts } from '../../objects/retry-conflicts.js'
import { type Selected, selectObjects } from '../../objects/select-objects.js'
import { writtenPrinter } from '../../output/written.js'
import { UsageError } from '../../usage-error.js'
import type { Node, Taint } from './cordon.js'

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

export const taint: Command = {
  name: 'taint',
  summary: 'Set and remove taints of nodes, which keep Pods away that do not tolerate them.',
  usage: 'node NAME... KEY[=VALUE]:EFFECT... KEY[:EFFECT]-... [flags]',
  examples: [
    ['Keep new Pods away', 'taint node node-1 dedicated=db:NoSchedule'],
    ['Remove it again', 'taint node node-1 dedicated:NoSchedule-'],
    ['Remove all taints of a key', 'taint nodes --all dedicated-'],
  ],
  flags: [
    { name: 'overwrite', kind: 'switch', description: 'change the value of an existing taint' },
    allFlag,
    labelSelectorFlag,
    dryRunFlag,
    fieldManagerFlag,
    validateFlag,
    ...printFlags,
  ],
  async run(call) {
    const { flags, args, terminal } = call
    const isChange = (word: string) => word.includes(':') || word.includes('=') || word.endsWith('-')
    const firstChange = args.findIndex((word, index) => index > 0 && isChange(word))
    const changes = (firstChange < 0 ? [] : args.slice(firstChange)).map(readChange)
    if (changes.length === 0) throw new UsageError('name a taint: KEY=VALUE:EFFECT, or KEY:EFFECT- to remove it')
    const session = await call.session()
    const selected = await selectObjects(call, session, args.slice(0, firstChange))
    const other = selected.find(({ kind }) => kind.resource !== 'nodes' || kind.group !== '')
    if (other) throw new UsageError(`only nodes have taints, ${other.kind.resource} have none`)
    const print = writtenPrinter(call)
    const dryRun = dryRunOf(flags)
    const fieldManager = flags.text('field-manager') ?? `${(await session.vendor()).profile.cli}-taint`
    const options = { fieldManager, dryRun: dryRun === 'server', fieldValidation: fieldValidationOf(flags) }
    const change = async (one: Selected): Promise<void> => {
      const node = (await one.collection.get(one.name)) as Node
      const before = node.spec?.taints ?? []
      const after = changes.reduce<readonly Taint[]>(
        (taints, change) => applied(change, taints, flags.is('overwrite'), one.label),
        before,
      )
      const { resourceVersion } = node.metadata
      const patch = { metadata: { resourceVersion }, spec: { taints: after.length > 0 ? after : null } }
      const changed = dryRun === 'client' ? mergedBy(patch, node) : await one.collection.patch(one.name, patch, options)
      const removes = changes.every(({ isRemoval }) => isRemoval)
      const adds = changes.some(({ isRemoval }) => !isRemoval)
      print(
        one,
        removes ? 'untainted' : adds && changes.some(({ isRemoval }) => isRemoval) ? 'modified' : 'tainted',
        changed,
      )
    }
    // A loop changes taints, too, for example after a node was closed or opened.
    return forEach(selected, terminal, one => retryConflicts(() => change(one)))
  },
}

interface TaintChange {
  readonly key: string
  readonly value: string
  /** Empty for every effect of a key that is removed. */
  readonly effect: string
  readonly isRemoval: boolean
}

function readChange(word: string): TaintChange {
  const isRemoval = word.endsWith('-')
  const [, key = '', value = '', effect = ''] =
    /^([^=:]*)(?:=([^:]*))?(?::(.*))?$/.exec(isRemoval ? word.slice(0, -1) : word) ?? []
  if (key === '') throw new UsageError(`"${word}" names no taint; write KEY=VALUE:EFFECT`)
  if (effect === '' && !isRemoval) throw new UsageError(`"${word}" has no effect; write ${key}:${effects.join(' or ')}`)
  if (effect !== '' && !effects.includes(effect))
    throw new UsageError(`"${effect}" is not an effect of a taint; there are ${effects.join(', ')}`)
  return { key, value, effect, isRemoval }
}

function applied(
  { key, value, effect, isRemoval }: TaintChange,
  taints: readonly Taint[],
  overwrites: boolean,
  label: string,
): readonly Taint[] {
  const isThis = (one: Taint) => one.key === key && (effect === '' || one.effect === effect)
  const present = taints.find(isThis)
  const others = taints.filter(one => !isThis(one))
  if (isRemoval) {
    if (!present) throw new Error(`taint "${key}${effect === '' ? '' : `:${effect}`}" not found on ${label}`)
    return others
  }
  if (present && (present.value ?? '') !== value && !overwrites)
    throw new UsageError(`${label} has the taint ${key}=${present.value ?? ''}:${effect}; add --overwrite to change it`)
  return [...others, { key, ...(value === '' ? {} : { value }), effect }]
}
