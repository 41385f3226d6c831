import { findValues, JsonPathError, readPath } from '../../libs/json-path/index.js'

/** Finds the values at a path in an object. */
export type JsonPath = (object: unknown) => readonly unknown[]

/** The fields that a simple path such as `.spec.replicas` names. */
export const fieldsOfPath = (path: string): string[] => path.split('.').filter(step => step !== '')

/**
 * Reads a path such as `.spec.size`, `.spec.items[0]`, `.spec.items[*].name`, `.metadata.labels['a.b']`, `.metadata.labels.a\.b` or
 * `.status.conditions[?(@.type=="Ready")].status`. Undefined if it is not a path.
 */
export function readJsonPath(path: string): JsonPath | undefined {
  // Columns name fields of the object: a bare word is not a path here.
  if (path !== '' && !/^[.[]/.test(path)) return undefined
  try {
    const steps = readPath(path)
    return object => findValues(steps, [object], object)
  } catch (error) {
    if (error instanceof JsonPathError) return undefined
    throw error
  }
}
