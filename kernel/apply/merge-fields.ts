import { badRequest } from 'orch/sdk'
import { isAtomic, type TypeNode } from '../schema/type-model.js'
import { checkTyped } from './structured-merge/check-typed.js'
import { isObject, type JsonObject } from './structured-merge/json-values.js'
import { elementOf } from './structured-merge/list-items.js'
import { merge } from './structured-merge/merge.js'
import { describeElement } from './structured-merge/path-element.js'
import { nodeOfField } from './structured-merge/to-field-set.js'
import { TypedValueError } from './structured-merge/typed-error.js'

/**
 * Merges some fields into an object, as apply does, but without ownership and conflicts. Atomic values cannot be changed in part,
 * so fields inside them are rejected. Throws a 400.
 */
export function mergeFields(object: JsonObject, fields: JsonObject, model: TypeNode): unknown {
  try {
    checkTyped(fields, model)
  } catch (error) {
    if (error instanceof TypedValueError) throw badRequest(error.message)
    throw error
  }
  const units: string[] = []
  findUnits(fields, model, '', units)
  if (units.length > 0) throw badRequest(`may not mutate atomic arrays, maps or structs: ${units.join(', ')}`)
  return merge(object, fields, model)
}

function findUnits(value: unknown, node: TypeNode, path: string, units: string[]): void {
  if (isAtomic(node) && typeof value === 'object' && value !== null) units.push(path)
  else if (node.is === 'list' && Array.isArray(value))
    for (const item of value) findUnits(item, node.item, `${path}${describeElement(elementOf(node, item))}`, units)
  else if ((node.is === 'struct' || node.is === 'map') && isObject(value))
    for (const [key, each] of Object.entries(value)) {
      const inside = nodeOfField(node, key)
      if (inside) findUnits(each, inside, `${path}.${key}`, units)
    }
}
