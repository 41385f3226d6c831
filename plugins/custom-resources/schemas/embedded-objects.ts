import {
  ApiError,
  addAll,
  badRequest,
  type FieldError,
  invalidValue,
  type JsonObject,
  ObjectMeta,
  requiredValue,
} from 'orch/sdk'
import { isDns1035Label } from 'orch/sdk/validation'
import type { SchemaNode } from '../../../libs/json-schema/index.js'
import { coerce, isJsonObject as isObject } from './coerce.js'
import { validateEmbeddedMetadata } from './embedded-metadata.js'
import type { PruneReport } from './prune.js'
import { compileVisitor, type Visit } from './visit.js'
import { costs, type Work } from './work.js'

/** Normalizes the metadata of embedded objects. A value of the wrong type is a 400. */
export function coerceEmbedded(report: PruneReport): (schema: SchemaNode, isRoot: boolean) => Visit | undefined {
  return (schema, isRoot) => {
    if (!schema.embeddedResource || isRoot) return undefined
    return (value, path) => {
      const problem = isObject(value) ? coerceObject(value, path, report.leftOut) : undefined
      if (problem) throw badRequest(problem.detail)
    }
  }
}

/** The same for one object. Returns the first value of the wrong type. */
export function coerceObject(
  value: JsonObject,
  path: string,
  leftOut?: (path: string) => void,
): FieldError | undefined {
  for (const name of ['apiVersion', 'kind'])
    if (Object.hasOwn(value, name) && typeof value[name] !== 'string') {
      const field = fieldAt(path, name)
      return invalidValue(field, value[name], `${field}: must be a string`)
    }
  if (!Object.hasOwn(value, 'metadata')) return undefined
  const at = fieldAt(path, 'metadata')
  try {
    value['metadata'] = coerce(ObjectMeta, value['metadata'] ?? {}, at, { leftOut })
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return invalidValue(at, value['metadata'], error.message)
    throw error
  }
}

const fieldAt = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

/** Validates embedded objects: apiVersion and kind are required, and metadata must be valid. */
export function validateEmbedded(schema: SchemaNode, isRoot: boolean): Visit | undefined {
  return schema.embeddedResource && !isRoot ? validateVisited : undefined
}

const validateVisited: Visit = (value, path, errors, _, work) => {
  if (!isObject(value)) return
  work?.charge(costs.embeddedObject + metadataEntries(value['metadata']) * costs.error, path)
  addAll(errors, validateObject(value, path))
}

/** Normalizes and validates the objects in a value. Reports the first value of the wrong type, or what is invalid. */
export type CheckObjects = (value: unknown, path: string, work: Work) => FieldError[]

/**
 * Compiles that for values of a schema, such as defaults: for the objects that are embedded in them, and for the values
 * themselves if they are whole objects.
 */
export function compileCheckObjects(schema: SchemaNode, isWhole: boolean): CheckObjects {
  const visitorFor = (visit: Visit) =>
    compileVisitor(schema, (each, isRoot) => (each.embeddedResource || (isRoot && isWhole) ? visit : undefined))
  const coerceAll = visitorFor((value, path, problems) => {
    const problem = isObject(value) ? coerceObject(value, path) : undefined
    if (problem) problems.push(problem)
  })
  const validateAll = visitorFor(validateVisited)
  return (value, path, work) => {
    const errors: FieldError[] = []
    coerceAll?.(value, path, errors, undefined, work)
    if (errors.length > 0) return errors.slice(0, 1)
    validateAll?.(value, path, errors, undefined, work)
    return errors
  }
}

/** Labels, annotations and other entries of metadata, each of which has rules. */
const metadataEntries = (metadata: unknown): number =>
  isObject(metadata)
    ? Object.values(metadata).reduce<number>(
        (count, field) => count + (typeof field === 'object' && field !== null ? Object.keys(field).length : 1),
        0,
      )
    : 0

/** The same for one object. */
function validateObject(value: JsonObject, path: string): FieldError[] {
  const { apiVersion, kind, metadata } = value
  const errors: FieldError[] = []
  const check = (name: string, text: unknown, problems: (text: string) => readonly string[]) => {
    const at = fieldAt(path, name)
    if (text === undefined) errors.push(requiredValue(at, 'must not be empty'))
    else if (text === '') errors.push(invalidValue(at, text, 'must not be empty'))
    else for (const problem of problems(String(text)).slice(0, 1)) errors.push(invalidValue(at, text, problem))
  }
  check('apiVersion', apiVersion, text => (isGroupVersion(text) ? [] : ['must be a version, or a group and a version']))
  check('kind', kind, text => isDns1035Label(text.toLowerCase()))
  if (isObject(metadata)) addAll(errors, validateEmbeddedMetadata(metadata, fieldAt(path, 'metadata')))
  return errors
}

const isGroupVersion = (text: string) => text.split('/').length <= 2
