import type { ResourceCatalogue, ResourceInfo } from 'orch/sdk'
import type { CustomResourceDefinition } from '../definitions/schema.js'
import type { NameKind } from './accept-names.js'
import { isTrue } from './conditions.js'

/**
 * Whether a name that a definition requests is served otherwise: a plugin, whatever versions it serves, or an extension
 * server. A type that is only known by discovery counts as that of the definition with its name, if that is
 * established.
 */
export const servedByOthers =
  (
    { spec: { group } }: CustomResourceDefinition,
    resources: ResourceCatalogue,
    definitionOf: (name: string) => CustomResourceDefinition | undefined,
  ) =>
  (nameKind: NameKind, name: string): boolean => {
    const isOthers = (info: ResourceInfo | undefined): boolean => {
      if (info === undefined || info.isDescribed !== undefined) return info?.isDescribed === false
      return !isTrue(definitionOf(`${info.resource}.${info.group}`)?.status.conditions, 'Established')
    }
    if (nameKind === 'kind') return isOthers(resources.findKind(group, name))
    return isOthers(resources.find(group, name)) || (resources.isLeftBehind?.(group, name) ?? false)
  }
