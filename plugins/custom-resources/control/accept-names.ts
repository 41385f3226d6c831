import type { CustomResourceDefinition, DefinitionCondition, DefinitionNames } from '../definitions/schema.js'

export interface NameDecision {
  readonly acceptedNames: DefinitionNames
  readonly condition: Omit<DefinitionCondition, 'lastTransitionTime'>
}

/** Names of paths and names of kinds are apart from each other. */
type Place = 'resource' | 'kind'

const placeOf = (place: Place, group: string, name: string) => `${place} ${name}.${group}`

/** Under which a definition is found among thousands by a name that it has. */
export function placesOf({ spec, status }: CustomResourceDefinition): string[] {
  const { plural, singular = '', shortNames = [], kind, listKind = '' } = status.acceptedNames
  const places = (place: Place, names: readonly string[]) =>
    names.filter(name => name !== '').map(name => placeOf(place, spec.group, name))
  return [...new Set([...places('resource', [plural, singular, ...shortNames]), ...places('kind', [kind, listKind])])]
}

/** Which of the wanted names a definition gets: those that no other definition of its group has. */
export function acceptNames(
  { metadata, spec, status }: CustomResourceDefinition,
  ownersOf: (place: string) => readonly string[],
): NameDecision {
  const isTaken = (place: Place, name: string) =>
    name !== '' && ownersOf(placeOf(place, spec.group, name)).some(owner => owner !== metadata.name)
  const wanted = spec.names
  const accepted: DefinitionNames = { ...status.acceptedNames }
  let condition: NameDecision['condition'] | undefined
  const refuse = (reason: string, name: string) => {
    condition = { type: 'NamesAccepted', status: 'False', reason, message: `${JSON.stringify(name)} is already in use` }
  }
  const take = (field: 'plural' | 'singular' | 'kind' | 'listKind', place: Place, reason: string) => {
    const name = wanted[field] ?? ''
    if (name !== (accepted[field] ?? '') && isTaken(place, name)) refuse(reason, name)
    else accepted[field] = name
  }
  take('plural', 'resource', 'PluralConflict')
  take('singular', 'resource', 'SingularConflict')
  const own = new Set(status.acceptedNames.shortNames ?? [])
  const taken = (wanted.shortNames ?? []).filter(name => !own.has(name) && isTaken('resource', name))
  if (taken.length > 0) refuse('ShortNamesConflict', taken.join(', '))
  else if (wanted.shortNames) accepted.shortNames = wanted.shortNames
  else delete accepted.shortNames
  take('kind', 'kind', 'KindConflict')
  take('listKind', 'kind', 'ListKindConflict')
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
