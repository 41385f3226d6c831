import type { CustomResourceDefinition, DefinitionCondition, DefinitionNames } from '../definitions/schema.js'

export interface NameDecision {
  readonly acceptedNames: DefinitionNames
  readonly condition: Omit<DefinitionCondition, 'lastTransitionTime'>
}

/** Resource names and kinds are separate namespaces of names. */
export type NameKind = 'resource' | 'kind'

const claimKey = (nameKind: NameKind, group: string, name: string) => `${nameKind} ${name}.${group}`

/** The keys of all names that a definition has claimed, for finding it among thousands. */
export function claimKeysOf({ spec, status }: CustomResourceDefinition): string[] {
  const { plural, singular = '', shortNames = [], kind, listKind = '' } = status.acceptedNames
  const keysOf = (nameKind: NameKind, names: readonly string[]) =>
    names.filter(name => name !== '').map(name => claimKey(nameKind, spec.group, name))
  return [...new Set([...keysOf('resource', [plural, singular, ...shortNames]), ...keysOf('kind', [kind, listKind])])]
}

/**
 * Decides which of the requested names a definition gets: those that no definition of its group has, and that are not
 * served otherwise. It keeps its names against other definitions, but not against a plugin, whose type takes precedence.
 * A name that it has in one place, such as its plural, cannot be added in another, such as its short names.
 */
export function acceptNames(
  { metadata, spec, status }: CustomResourceDefinition,
  ownersOf: (key: string) => readonly string[],
  isServedByOthers: (nameKind: NameKind, name: string) => boolean = () => false,
): NameDecision {
  const ownKeys = new Set(claimKeysOf({ metadata, spec, status }))
  const isTaken = (nameKind: NameKind, name: string) => {
    const key = claimKey(nameKind, spec.group, name)
    return name !== '' && (ownKeys.has(key) || ownersOf(key).some(owner => owner !== metadata.name))
  }
  const isServed = (nameKind: NameKind, name: string) => name !== '' && isServedByOthers(nameKind, name)
  const wanted = spec.names
  const accepted: DefinitionNames = { ...status.acceptedNames }
  let condition: NameDecision['condition'] | undefined
  const refuse = (reason: string, name: string) => {
    condition = { type: 'NamesAccepted', status: 'False', reason, message: `${JSON.stringify(name)} is already in use` }
  }
  const take = (field: 'plural' | 'singular' | 'kind' | 'listKind', nameKind: NameKind, reason: string) => {
    const name = wanted[field] ?? ''
    if (isServed(nameKind, name) || (name !== (accepted[field] ?? '') && isTaken(nameKind, name))) refuse(reason, name)
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
 * Names that were just assigned to definitions and are not in the cache yet, so that two definitions that request the
 * same name at the same time do not both get it.
 */
export class NameClaims {
  readonly #keys = new Map<string, readonly string[]>()
  readonly #owners = new Map<string, string>()

  claim(definition: CustomResourceDefinition): void {
    const { name = '' } = definition.metadata
    this.release(name)
    const keys = claimKeysOf(definition)
    this.#keys.set(name, keys)
    for (const key of keys) this.#owners.set(key, name)
  }
  release(name: string): void {
    for (const key of this.#keys.get(name) ?? []) if (this.#owners.get(key) === name) this.#owners.delete(key)
    this.#keys.delete(name)
  }
  /** The definition that a name was recently assigned to, if any. */
  ownerOf(key: string): string | undefined {
    return this.#owners.get(key)
  }
}
