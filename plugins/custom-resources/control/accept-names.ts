import type { CustomResourceDefinition, DefinitionCondition, DefinitionNames } from '../definitions/schema.js'

export interface NameDecision {
  readonly acceptedNames: DefinitionNames
  readonly condition: Omit<DefinitionCondition, 'lastTransitionTime'>
}

/** Resource names and kinds are separate namespaces of names. */
export type NameKind = 'resource' | 'kind'

const claimKey = (place: NameKind, group: string, name: string) => `${place} ${name}.${group}`

/** The keys of all names that a definition has claimed, for finding it among thousands. */
export function claimKeysOf({ spec, status }: CustomResourceDefinition): string[] {
  const { plural, singular = '', shortNames = [], kind, listKind = '' } = status.acceptedNames
  const places = (place: NameKind, names: readonly string[]) =>
    names.filter(name => name !== '').map(name => claimKey(place, spec.group, name))
  return [...new Set([...places('resource', [plural, singular, ...shortNames]), ...places('kind', [kind, listKind])])]
}

/**
 * Decides which of the requested names a definition gets: those that no other definition of its group has, and that are
 * not served otherwise. It keeps what it has from other definitions, but not from a plugin: the type of the plugin is
 * the one that is served.
 */
export function acceptNames(
  { metadata, spec, status }: CustomResourceDefinition,
  ownersOf: (place: string) => readonly string[],
  isServedByOthers: (place: NameKind, name: string) => boolean = () => false,
): NameDecision {
  const isTaken = (place: NameKind, name: string) =>
    name !== '' && ownersOf(claimKey(place, spec.group, name)).some(owner => owner !== metadata.name)
  const isServed = (place: NameKind, name: string) => name !== '' && isServedByOthers(place, name)
  const wanted = spec.names
  const accepted: DefinitionNames = { ...status.acceptedNames }
  let condition: NameDecision['condition'] | undefined
  const refuse = (reason: string, name: string) => {
    condition = { type: 'NamesAccepted', status: 'False', reason, message: `${JSON.stringify(name)} is already in use` }
  }
  const take = (field: 'plural' | 'singular' | 'kind' | 'listKind', place: NameKind, reason: string) => {
    const name = wanted[field] ?? ''
    if (isServed(place, name) || (name !== (accepted[field] ?? '') && isTaken(place, name))) refuse(reason, name)
    else accepted[field] = name
  }
  take('plural', 'resource', 'PluralConflict')
  take('singular', 'resource', 'SingularConflict')
  const own = new Set(status.acceptedNames.shortNames ?? [])
  const taken = (wanted.shortNames ?? []).filter(
    name => isServed('resource', name) || (!own.has(name) && isTaken('resource', name)),
  )
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

/**
 * Names that were just assigned to definitions and are not in the cache yet, so that two definitions that request the same name
 * at the same time do not both get it.
 */
export class NameClaims {
  readonly #places = new Map<string, readonly string[]>()
  readonly #owners = new Map<string, string>()

  claim(definition: CustomResourceDefinition): void {
    const { name = '' } = definition.metadata
    this.release(name)
    const places = claimKeysOf(definition)
    this.#places.set(name, places)
    for (const place of places) this.#owners.set(place, name)
  }
  release(name: string): void {
    for (const place of this.#places.get(name) ?? []) if (this.#owners.get(place) === name) this.#owners.delete(place)
    this.#places.delete(name)
  }
  /** The definition that a name was recently assigned to, if any. */
  ownerOf(place: string): string | undefined {
    return this.#owners.get(place)
  }
}
