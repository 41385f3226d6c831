import type { JsonObject } from '../../libs/json/index.js'
import type { Steps } from '../contracts/turns.js'
import type { Operation } from './operation.js'
import type { Parameter } from './parameters.js'

/** Operations by path, sorted. */
function groupedByPath(operations: readonly Operation[]): [string, Operation[]][] {
  const paths = new Map<string, Operation[]>()
  for (const operation of operations) {
    const known = paths.get(operation.path)
    if (known) known.push(operation)
    else paths.set(operation.path, [operation])
  }
  return [...paths].sort(([left], [right]) => (left < right ? -1 : 1))
}

/** Describes an operation in a version of OpenAPI, given the parameters that are not shared by all operations of the path. */
export interface OperationDialect {
  describe(operation: Operation, own: readonly Parameter[]): JsonObject
  parameterObject(parameter: Parameter): JsonObject
}

/** All paths with their operations. */
export function* describePaths(operations: readonly Operation[], dialect: OperationDialect): Steps<JsonObject> {
  const paths: JsonObject = {}
  for (const [path, item] of groupedByPath(operations)) {
    paths[path] = pathItem(item, dialect)
    yield
  }
  return paths
}

function pathItem(operations: readonly Operation[], { describe, parameterObject }: OperationDialect): JsonObject {
  const shared = commonToAll(operations)
  const item: JsonObject = {}
  for (const operation of operations) {
    const own = operation.parameters.filter(parameter => !shared.includes(parameter))
    item[operation.method] = describe(operation, own)
  }
  if (shared.length > 0) item['parameters'] = shared.map(parameterObject)
  return item
}

/** Parameters that every operation of a path has: they are described once, for the path. */
function commonToAll(operations: readonly Operation[]): Parameter[] {
  const [first, ...others] = operations
  return (first?.parameters ?? []).filter(parameter => others.every(other => other.parameters.includes(parameter)))
}
