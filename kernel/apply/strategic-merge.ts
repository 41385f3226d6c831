import { ApiError, badRequest } from 'orch/sdk'
import { type MergeRules, StrategicMergeError, strategicMerge } from '../../libs/strategic-merge/index.js'
import type { TypeNode } from '../schema/type-model.js'
import type { JsonObject } from './structured-merge/json-values.js'

/** Applies the strategic merge patch of a request by the schema of its type. Its errors become API errors. */
export function strategicMergePatch(original: JsonObject, patch: unknown, node: TypeNode): JsonObject {
  try {
    return strategicMerge(original, patch, rulesOfSchema, node)
  } catch (error) {
    throw error instanceof StrategicMergeError ? answerTo(error) : error
  }
}

const rulesOfSchema: MergeRules<TypeNode> = {
  field(node, name) {
    if (node?.is === 'map') return { place: node.value }
    const field = node?.is === 'struct' ? node.fields.get(name) : undefined
    return { place: field?.node, isReplaced: field?.schema['patchStrategy'] === 'replace' }
  },
  list(node) {
    if (node?.is !== 'list' || !node.patchStrategy.startsWith('merge')) return undefined
    const { patchMergeKey: mergeKey, item } = node
    return mergeKey === undefined ? { item } : { mergeKey, item }
  },
  mergeKey: node => (node?.is === 'list' ? node.patchMergeKey : undefined),
}

function answerTo({ problem, message }: StrategicMergeError): ApiError {
  if (problem === 'malformed') return badRequest(message)
  // With its message as a cause: clients such as kubectl show nothing else of a 422.
  return new ApiError(422, 'Invalid', message, { causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }] })
}
