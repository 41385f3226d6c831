import type { Operation } from './operation.js'
import type { Parameter } from './parameters.js'

/** Operations by path, sorted. */
export function groupedByPath(operations: readonly Operation[]): [string, Operation[]][] {
  const paths = new Map<string, Operation[]>()
  for (const operation of operations) paths.set(operation.path, [...(paths.get(operation.path) ?? []), operation])
  return [...paths].sort(([left], [right]) => (left < right ? -1 : 1))
}

/** Parameters that every operation of a path has: they are stated once, for the path. */
export function commonToAll(operations: readonly Operation[]): Parameter[] {
  const [first, ...others] = operations
  return (first?.parameters ?? []).filter(parameter => others.every(other => other.parameters.includes(parameter)))
}
