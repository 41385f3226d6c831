import type { CustomResourceDefinition, DefinitionCondition, DefinitionNames } from '../definitions/schema.js'

export interface NameDecision {
  readonly acceptedNames: DefinitionNames
  readonly condition: Omit<DefinitionCondition, 'lastTransitionTime'>
}

/** Which of the wanted names a definition gets: those that no other definition of its group has. */
export function acceptNames(
  { metadata, spec, status }: CustomResourceDefinition,
  others: Iterable<CustomResourceDefinition>,
): NameDecision {
  const resources = new Set<string>()
  const kinds = new Set<string>()
  for (const other of others) {
    if (other.spec.group !== spec.group || other.metadata.uid === metadata.uid) continue
    const { plural, singular = '', shortNames = [], kind, listKind = '' } = other.status.acceptedNames
    for (const name of [plural, singular, ...shortNames]) if (name !== '') resources.add(name)
    for (const name of [kind, listKind]) if (name !== '') kinds.add(name)
  }
  const wanted = spec.names
  const accepted: DefinitionNames = structuredClone(status.acceptedNames)
  let condition: NameDecision['condition'] | undefined
  const refuse = (reason: string, name: string) => {
    condition = { type: 'NamesAccepted', status: 'False', reason, message: `${JSON.stringify(name)} is already in use` }
  }
  const take = (field: 'plural' | 'singular' | 'kind' | 'listKind', used: ReadonlySet<string>, reason: string) => {
    const name = wanted[field] ?? ''
    if (name !== (accepted[field] ?? '') && used.has(name)) refuse(reason, name)
    else accepted[field] = name
  }
  take('plural', resources, 'PluralConflict')
  take('singular', resources, 'SingularConflict')
  const own = new Set(status.acceptedNames.shortNames ?? [])
  const taken = (wanted.shortNames ?? []).filter(name => !own.has(name) && resources.has(name))
  if (taken.length > 0) refuse('ShortNamesConflict', taken.join(', '))
  else if (wanted.shortNames) accepted.shortNames = wanted.shortNames
  else delete accepted.shortNames
  take('kind', kinds, 'KindConflict')
  take('listKind', kinds, 'ListKindConflict')
  if (wanted.categories) accepted.categories = wanted.categories
  else delete accepted.categories
  return {
    acceptedNames: accepted,
    condition: condition ?? {
      type: 'NamesAccepted',
      status: 'True',
      reason: 'NoConflicts',
      message: 'no conflicts found',
    },
  }
}
