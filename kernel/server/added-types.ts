import type { Store } from 'orch/sdk/host'
import { BootError, problem } from '../contracts/boot-errors.js'
import type { ResourceType } from '../types/resource-type.js'
import type { ResourceTypes } from '../types/resource-types.js'
import { declareVersions, storedForms } from '../types/stored-versions.js'
import type { PluginDifference } from './plugin-difference.js'

export type StoredForms = ReturnType<typeof storedForms>

/** Compiles the new types. None may have the name of a type that an object describes, which the registry does not contain. */
export function compileAdded(types: ResourceTypes, { newTypes, goneTypes }: PluginDifference): ResourceType[] {
  return newTypes.map(contribution => {
    const { plugin, definition } = contribution
    const { group, resource, kind } = definition
    const taken = types.get(group, resource) ?? types.ofKind(group, kind)
    const isGoing = goneTypes.some(
      each => each.definition.group === taken?.group && each.definition.resource === taken.resource,
    )
    if (taken && !isGoing) {
      const name = group ? `${resource}.${group}` : resource
      throw new BootError([problem('ORCH_RESOURCE_DUPLICATE', { plugin, first: taken.plugin, name })])
    }
    return types.compile(contribution)
  })
}

/** Records in the store how objects will be stored, before any is. Throws if stored objects cannot be read. */
export async function declareStored(
  store: Store,
  types: readonly ResourceType[],
  vendor: string,
): Promise<StoredForms> {
  const stored = types.filter(({ definition, storageKey, group, resource }) => {
    return !definition.virtual && storageKey === `${group}/${resource}`
  })
  if (stored.length === 0) return new Map()
  return storedForms(stored, await declareVersions(store, stored, vendor))
}
