import type { ApiObject } from 'orch/sdk'
import { dryRunFlag, dryRunOf, fileFlags, printFlags } from '../../arguments/shared-flags.js'
import type { Command } from '../../command.js'
import { forEach } from '../../objects/for-each.js'
import { placeObject } from '../../objects/place-object.js'
import { nameIn, readManifests } from '../../objects/read-manifests.js'
import { writtenPrinter } from '../../output/written.js'

interface Rule {
  readonly verbs?: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
}
interface Access extends ApiObject {
  rules?: readonly Rule[]
  subjects?: readonly object[]
  roleRef?: object
  aggregationRule?: object
}

export const reconcile: Command = {
  name: 'auth reconcile',
  summary:
    'Add rules and subjects that files have to roles and bindings; with flags, also remove those they do not have.',
  usage: '-f FILE [flags]',
  examples: [
    ['Nothing is removed', 'auth reconcile -f rbac.yaml'],
    ['Exactly what the file says', 'auth reconcile -f rbac.yaml --remove-extra-subjects --remove-extra-permissions'],
  ],
  flags: [
    { name: 'remove-extra-permissions', kind: 'switch', description: 'remove rules that are not in the file' },
    { name: 'remove-extra-subjects', kind: 'switch', description: 'remove subjects that are not in the file' },
    ...fileFlags,
    dryRunFlag,
    ...printFlags,
  ],
  completes: 'nothing',
  async run(call) {
    const { flags, terminal } = call
    const session = await call.session()
    const kinds = await session.kinds()
    const { profile } = await session.vendor()
    const dryRun = dryRunOf(flags)
    const options = { fieldManager: `${profile.cli}-auth-reconcile`, dryRun: dryRun === 'server' }
    const print = writtenPrinter(call)
    const manifests = (await readManifests(flags, terminal)).filter(({ object }) =>
      /^(Cluster)?Role(Binding)?$/.test(object.kind ?? ''),
    )
    const placed = manifests.map(one => ({ ...placeObject(one, kinds, session, flags), name: nameIn(one) }))
    return forEach(placed, terminal, async one => {
      const wanted = one.object as Access
      const live = (await one.collection.find(one.name)) as Access | undefined
      if (live === undefined)
        return print(one, 'reconciled', dryRun === 'client' ? wanted : await one.collection.create(wanted, options))
      const isMoved = wanted.roleRef !== undefined && text(sorted(wanted.roleRef)) !== text(sorted(live.roleRef))
      const merged = mergedAccess(live, wanted, flags.is('remove-extra-permissions'), flags.is('remove-extra-subjects'))
      if (dryRun === 'client') return print(one, 'reconciled', merged)
      // The role of a binding is immutable.
      if (isMoved && dryRun === 'none') {
        await one.collection.delete(one.name)
        const {
          resourceVersion: _,
          uid: __,
          creationTimestamp: ___,
          managedFields: ____,
          ...metadata
        } = merged.metadata
        return print(one, 'reconciled', await one.collection.create({ ...merged, metadata }, options))
      }
      print(one, 'reconciled', await one.collection.update(merged, options))
    })
  },
}

const text = (value: unknown) => JSON.stringify(value)
const sorted = (value: object | undefined) =>
  Object.entries(value ?? {}).sort(([left], [right]) => (left < right ? -1 : 1))

function mergedAccess(live: Access, wanted: Access, removesRules: boolean, removesSubjects: boolean): Access {
  const missingRules = (wanted.rules ?? []).filter(rule => !covers(live.rules ?? [], rule))
  const same = (left: object, right: object) => text(sorted(left)) === text(sorted(right))
  const extraSubjects = (live.subjects ?? []).filter(one => !(wanted.subjects ?? []).some(other => same(one, other)))
  const labels = { ...live.metadata.labels, ...wanted.metadata.labels }
  const annotations = { ...live.metadata.annotations, ...wanted.metadata.annotations }
  return {
    ...live,
    metadata: {
      ...live.metadata,
      ...(Object.keys(labels).length > 0 ? { labels } : {}),
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
    },
    ...(wanted.aggregationRule ? { aggregationRule: wanted.aggregationRule } : {}),
    ...(wanted.roleRef ? { roleRef: wanted.roleRef } : {}),
    ...(wanted.rules || live.rules
      ? {
          rules: removesRules ? [...(wanted.rules ?? [])] : [...(live.rules ?? []), ...missingRules],
        }
      : {}),
    ...(wanted.subjects || live.subjects
      ? { subjects: removesSubjects ? [...(wanted.subjects ?? [])] : [...(wanted.subjects ?? []), ...extraSubjects] }
      : {}),
  }
}

/** Whether one of the rules allows everything that `rule` allows. */
const covers = (rules: readonly Rule[], rule: Rule): boolean =>
  rules.some(
    other =>
      (['verbs', 'apiGroups', 'resources', 'nonResourceURLs'] as const).every(field => {
        const [wide, narrow] = [other[field] ?? [], rule[field] ?? []]
        return narrow.every(value => wide.includes(value) || wide.includes('*'))
      }) &&
      ((other.resourceNames ?? []).length === 0 ||
        ((rule.resourceNames ?? []).length > 0 &&
          (rule.resourceNames ?? []).every(name => other.resourceNames?.includes(name)))),
  )
