import { ownValue } from 'orch/sdk'
import {
  allFlag,
  allNamespacesFlag,
  dryRunFlag,
  dryRunOf,
  fieldManagerFlag,
  fieldSelectorFlag,
  fileFlags,
  labelSelectorFlag,
  printFlags,
} from '../../arguments/shared-flags.js'
import type { Call, Command } from '../../command.js'
import { mergedBy } from '../../objects/apply-patch.js'
import { changeLocal, localFlag } from '../../objects/change-local.js'
import { forEach } from '../../objects/for-each.js'
import { selectObjects } from '../../objects/select-objects.js'
import { writtenPrinter } from '../../output/written.js'
import { UsageError } from '../../usage-error.js'

/** What differs between `label` and `annotate`. */
interface Wording {
  readonly field: 'labels' | 'annotations'
  readonly entry: string
  readonly done: string
  readonly removed: string
}

export const changeFlags: Command['flags'] = [
  { name: 'overwrite', kind: 'switch', description: 'change existing values' },
  { name: 'list', kind: 'switch', description: 'show them instead of changing them' },
  {
    name: 'resource-version',
    kind: 'text',
    value: 'VERSION',
    description: 'only if the object still has this resource version',
  },
  localFlag,
  allFlag,
  labelSelectorFlag,
  fieldSelectorFlag,
  allNamespacesFlag,
  ...fileFlags,
  dryRunFlag,
  fieldManagerFlag,
  ...printFlags,
]

/** Sets `key=value` and removes `key-` in the metadata of objects. */
export async function changeEntries(call: Call, wording: Wording): Promise<number> {
  const { flags, terminal, args } = call
  const isChange = (word: string) => word.includes('=') || /^[^/]+(\/[^/]+)?-$/.test(word)
  // Changes come last: `a-` before another argument is the name of an object.
  const last = args.findLastIndex(word => !isChange(word))
  const targets = args.slice(0, last + 1)
  const changes = readChanges(args.slice(last + 1), wording.entry)
  const isListing = flags.is('list')
  if (changes.size === 0 && !isListing)
    throw new UsageError(`say what to set: KEY=VALUE, or KEY- to remove a ${wording.entry}`)
  if (flags.is('local')) {
    const patch = { metadata: { [wording.field]: Object.fromEntries(changes) } }
    return changeLocal(call, wording.done, object => mergedBy(patch, object), targets)
  }
  const session = await call.session()
  const print = writtenPrinter(call)
  const fieldManager = flags.text('field-manager') ?? `${(await session.vendor()).profile.cli}-${wording.entry}`
  const resourceVersion = flags.text('resource-version')
  const dryRun = dryRunOf(flags)
  const selected = await selectObjects(call, session, targets)
  if (resourceVersion !== undefined && selected.length !== 1)
    throw new UsageError('--resource-version needs exactly one object')
  return forEach(selected, terminal, async one => {
    const before = await one.collection.get(one.name)
    const entries = before.metadata[wording.field] ?? {}
    if (isListing) {
      terminal.write(`${one.label}\n`)
      for (const [key, value] of Object.entries(entries)) terminal.write(`  ${key}=${value}\n`)
      return
    }
    for (const [key, value] of changes) {
      const present = ownValue(entries, key)
      if (value !== null && present !== undefined && present !== value && !flags.is('overwrite'))
        throw new UsageError(`${one.label} has the ${wording.entry} ${key}=${present}; add --overwrite to change it`)
    }
    for (const [key, value] of changes)
      if (value === null && ownValue(entries, key) === undefined) terminal.log(`${wording.entry} "${key}" not found.`)
    const version = resourceVersion === undefined ? {} : { resourceVersion }
    const patch = { metadata: { ...version, [wording.field]: Object.fromEntries(changes) } }
    const after =
      dryRun === 'client'
        ? mergedBy(patch, before)
        : await one.collection.patch(one.name, patch, { fieldManager, dryRun: dryRun === 'server' })
    const isSame = [...changes].every(([key, value]) => (ownValue(entries, key) ?? null) === value)
    const removesAll = [...changes.values()].every(value => value === null)
    print(one, isSame ? `not ${wording.done}` : removesAll ? wording.removed : wording.done, after)
  })
}

function readChanges(args: readonly string[], entry: string): Map<string, string | null> {
  const changes = new Map<string, string | null>()
  for (const word of args) {
    const equals = word.indexOf('=')
    const key = equals < 0 ? word.slice(0, -1) : word.slice(0, equals)
    if (key === '') throw new UsageError(`"${word}" names no ${entry}; write KEY=VALUE or KEY-`)
    if (changes.has(key)) throw new UsageError(`the ${entry} ${key} can be set or removed only once`)
    changes.set(key, equals < 0 ? null : word.slice(equals + 1))
  }
  return changes
}
