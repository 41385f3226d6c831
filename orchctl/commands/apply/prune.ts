import type { ApiObject } from 'orch/sdk'
import type { KindInfo, Kinds } from 'orch/sdk/client'
import type { FlagDefinition } from '../../arguments/flags.js'
import { allFlag, dryRunNote, dryRunOf, labelSelectorFlag, propagationOf } from '../../arguments/shared-flags.js'
import type { Call } from '../../command.js'
import { forEach } from '../../objects/for-each.js'
import type { Placed } from '../../objects/place-object.js'
import { preferred } from '../../objects/targets.js'
import { objectName } from '../../output/print-objects.js'
import type { Session } from '../../session/session.js'
import { UsageError } from '../../usage-error.js'

/** The types that kubectl prunes by default. Without groups, since their names depend on the vendor. */
const defaultTypes = [
  ...['configmaps', 'endpoints', 'namespaces', 'persistentvolumeclaims', 'persistentvolumes', 'pods'],
  ...['replicationcontrollers', 'secrets', 'services', 'jobs', 'cronjobs', 'ingresses', 'daemonsets', 'deployments'],
  ...['replicasets', 'statefulsets'],
]

export const pruneFlags: readonly FlagDefinition[] = [
  {
    name: 'prune',
    kind: 'switch',
    description: 'delete objects that were applied earlier and are not in the files; with -l or --all',
  },
  {
    name: 'prune-allowlist',
    aliases: ['prune-whitelist'],
    kind: 'list',
    value: 'GROUP/VERSION/KIND',
    description: 'prune only this type: core/v1/ConfigMap, apps/v1/Deployment',
  },
  labelSelectorFlag,
  { ...allFlag, description: 'prune all objects that were applied, with any labels' },
]

interface Prune {
  readonly labelSelector?: string
  readonly types: readonly string[]
}

/** The options of `--prune`; undefined without it. */
export function readPrune({ flags }: Call): Prune | undefined {
  const labelSelector = flags.text('selector')
  if (!flags.is('prune')) {
    if (labelSelector !== undefined || flags.is('all') || flags.has('prune-allowlist'))
      throw new UsageError('-l, --all and --prune-allowlist say what --prune may delete: add --prune')
    return undefined
  }
  if ((labelSelector === undefined) !== flags.is('all'))
    throw new UsageError('--prune deletes: say which objects with -l SELECTOR, or --all for all that were applied')
  return { labelSelector, types: flags.items('prune-allowlist') }
}

function typesOf(kinds: Kinds, { types }: Prune): readonly KindInfo[] {
  if (types.length === 0)
    return preferred(kinds).filter(one => defaultTypes.includes(one.resource) && one.verbs.includes('list'))
  return types.map(type => {
    const [group = '', version = '', kind = ''] = type.split('/')
    const found = kinds.find(kind, group === 'core' || group === '' ? version : `${group}/${version}`)
    if (!found) throw new UsageError(`--prune-allowlist needs GROUP/VERSION/KIND that the server has, not "${type}"`)
    return found
  })
}

interface PruneContext {
  readonly prune: Prune
  readonly applied: readonly Placed[]
  readonly fieldManager: string
  /** The last-applied annotation, which marks objects that were applied client-side. */
  readonly annotation: string
}

interface PruneCandidate {
  readonly label: string
  readonly name: string
  readonly kind: KindInfo
  readonly namespace: string
  readonly object: ApiObject
}

/** The objects that were applied earlier to the same namespaces and are not among those applied now. */
export async function objectsToPrune(session: Session, context: PruneContext): Promise<PruneCandidate[]> {
  const { prune, applied, fieldManager, annotation } = context
  const kept = new Set(applied.map(({ object }) => object.metadata.uid))
  const namespaces = new Set(applied.map(({ namespace }) => namespace).filter(one => one !== ''))
  const wasApplied = ({ metadata }: ApiObject) =>
    metadata.annotations?.[annotation] !== undefined ||
    (metadata.managedFields ?? []).some(one => one.operation === 'Apply' && one.manager === fieldManager)
  const candidates: PruneCandidate[] = []
  for (const kind of typesOf(await session.kinds(), prune))
    for (const namespace of kind.namespaced ? namespaces : [''])
      for await (const object of session
        .collection<ApiObject>(kind, namespace)
        .each({ labelSelector: prune.labelSelector }))
        if (wasApplied(object) && !kept.has(object.metadata.uid) && !object.metadata.deletionTimestamp) {
          const name = object.metadata.name ?? ''
          candidates.push({ label: objectName(kind, name), name, kind, namespace, object })
        }
  return candidates
}

/** Deletes objects that were applied earlier and are not among those applied now. */
export async function pruneOthers(call: Call, session: Session, context: PruneContext): Promise<number> {
  const dryRun = dryRunOf(call.flags)
  return forEach(await objectsToPrune(session, context), call.terminal, async ({ label, name, kind, namespace }) => {
    const collection = session.collection<ApiObject>(kind, namespace)
    if (dryRun !== 'client')
      await collection.delete(name, { dryRun: dryRun === 'server', propagationPolicy: propagationOf(call.flags) })
    if (dryRun === 'none' && call.flags.is('wait')) {
      const timeoutMs = call.flags.durationMs('timeout') ?? 300_000
      await collection.waitForDeletion(name, { timeoutMs, signal: call.terminal.signal })
    }
    call.terminal.write(`${label} pruned${dryRunNote(call.flags)}\n`)
  })
}
