import type { ResourceDefinition, Vendor, VersionDefinition } from 'orch/sdk'
import { metaType } from '../meta-types.js'
import { buildTypeModel, type StructNode } from '../type-model.js'
import type { Definitions, GroupVersionKind } from './definitions.js'
import { discoveryOperations } from './discovery-operations.js'
import type { OpenApiNames } from './names.js'
import type { Operation } from './operation.js'
import { TypeOperations } from './type-operations.js'

/** One served version of a type. */
export interface ServedType {
  readonly definition: ResourceDefinition
  readonly version: VersionDefinition
}

/** Describes everything that is served for some types, adding the definitions that are needed to say it. */
export function describeOperations(
  types: readonly ServedType[],
  vendor: Vendor,
  names: OpenApiNames,
  definitions: Definitions,
): Operation[] {
  const mediaTypes = ['application/json', 'application/yaml', vendor.profile.protobufMediaType]
  const operations = types.flatMap(type => typeOperations(type, mediaTypes, names, definitions))
  return [...discoveryOperations(types, mediaTypes, names, definitions), ...operations]
}

function typeOperations(
  { definition, version }: ServedType,
  mediaTypes: readonly string[],
  names: OpenApiNames,
  definitions: Definitions,
): Operation[] {
  const { group } = definition
  const kind: GroupVersionKind = { group, version: version.name, kind: definition.kind }
  const model = buildTypeModel(version.schema) as StructNode
  const operations = new TypeOperations(names, mediaTypes, definition, kind, {
    object: definitions.struct(model, kind),
    list: () => definitions.list(model, metaType('ListMeta'), kind),
    status: definitions.struct(metaType('Status'), { group: '', version: 'v1', kind: 'Status' }),
    deleteOptions: definitions.struct(metaType('DeleteOptions'), {
      group,
      version: version.name,
      kind: 'DeleteOptions',
    }),
    patch: definitions.struct(patchModel),
  })
  return [
    ...operations.collection(),
    ...operations.object(),
    ...subresourceOperations(definition, operations, definitions),
  ]
}

function subresourceOperations(
  { subresources }: ResourceDefinition,
  operations: TypeOperations,
  definitions: Definitions,
): Operation[] {
  return Object.entries(subresources ?? {}).flatMap(([name, subresource]) => {
    if (subresource.kind === 'update') return operations.updateSubresource(name, subresource)
    const { group, version, objectKind, schema } = subresource
    const kind = { group, version, kind: objectKind }
    const definition = definitions.struct(buildTypeModel(schema) as StructNode, kind)
    return operations.actionSubresource(name, subresource, { kind, definition })
  })
}

const patchModel: StructNode = {
  is: 'struct',
  name: 'meta.v1.Patch',
  fields: new Map(),
  atomic: false,
  schema: { description: 'Patch is provided to give a concrete name and type to a patch request body.' } as never,
}
