import { addAll, type ResourceDefinition, type Vendor } from 'orch/sdk'
import type { Steps } from '../contracts/turns.js'
import { metaType } from '../schema/meta-types.js'
import { buildTypeModel, type StructNode } from '../schema/type-model.js'
import type { Definitions, GroupVersionKind } from './definitions.js'
import { discoveryOperations } from './discovery-operations.js'
import type { OpenApiNames } from './names.js'
import type { Operation, ServedType } from './operation.js'
import { TypeOperations } from './type-operations.js'

/** Describes all operations of some types, and adds the definitions that they refer to. */
export function* describeOperations(
  types: readonly ServedType[],
  vendor: Vendor,
  names: OpenApiNames,
  definitions: Definitions,
): Steps<Operation[]> {
  const mediaTypes = ['application/json', 'application/yaml', vendor.profile.protobufMediaType]
  const operations: Operation[] = []
  for (const type of types) {
    addAll(operations, typeOperations(type, mediaTypes, names, definitions))
    yield
  }
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
  // No operation returns it, since a watch has the path of a list; clients look for it nevertheless.
  definitions.namedOnly(metaType('WatchEvent', names.level), { group, version: version.name, kind: 'WatchEvent' })
  const operations = new TypeOperations(names, mediaTypes, definition, kind, {
    object: definitions.struct(model, kind),
    list: () =>
      definitions.list(model, metaType('ListMeta', names.level), kind, definition.listKind ?? `${kind.kind}List`),
    status: definitions.struct(metaType('Status', names.level), { group: '', version: 'v1', kind: 'Status' }),
    deleteOptions: definitions.struct(metaType('DeleteOptions', names.level), {
      group,
      version: version.name,
      kind: 'DeleteOptions',
    }),
    patch: definitions.struct(patchModel),
  })
  return [
    ...operations.collection(),
    ...operations.object(),
    ...subresourceOperations(version.subresources ?? definition.subresources, operations, definitions),
  ]
}

function subresourceOperations(
  subresources: ResourceDefinition['subresources'],
  operations: TypeOperations,
  definitions: Definitions,
): Operation[] {
  return Object.entries(subresources ?? {}).flatMap(([name, subresource]) => {
    if (subresource.kind === 'update') return operations.updateSubresource(name, subresource)
    if (subresource.kind === 'connect') return operations.connectSubresource(name, subresource)
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
  rest: undefined,
  schema: { description: 'Patch is provided to give a concrete name and type to a patch request body.' } as never,
}
