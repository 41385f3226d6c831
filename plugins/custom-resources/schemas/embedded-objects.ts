import { addAll, badRequest, type FieldError, invalidValue, type JsonObject, ObjectMeta, requiredValue } from 'orch/sdk'
import { isDns1035Label, isQualifiedName, nameIsDnsLabel, nameIsPathSegment, validateLabels } from 'orch/sdk/validation'
import type { SchemaNode } from '../../../libs/json-schema/index.js'
import { coerce, isJsonObject as isObject } from './coerce.js'
import type { PruneReport } from './prune.js'
import type { Visit } from './visit.js'
import { costs } from './work.js'

/** Normalizes the metadata of embedded objects. A value of the wrong type is a 400. */
export function coerceEmbedded(report: PruneReport): (schema: SchemaNode, isRoot: boolean) => Visit | undefined {
  return (schema, isRoot) => {
    if (!schema.embeddedResource || isRoot) return undefined
    return (value, path) => {
      if (isObject(value)) coerceObject(value, path, report.leftOut)
    }
  }
}

/** The same for one object. */
export function coerceObject(value: JsonObject, path: string, leftOut?: (path: string) => void): void {
  for (const name of ['apiVersion', 'kind'])
    if (Object.hasOwn(value, name) && typeof value[name] !== 'string')
      throw badRequest(`${path}.${name}: must be a string`)
  if (!Object.hasOwn(value, 'metadata')) return
  value['metadata'] = coerce(ObjectMeta, value['metadata'] ?? {}, `${path}.metadata`, { leftOut })
}

/** Validates embedded objects: apiVersion and kind are required, and metadata must be valid. */
export function validateEmbedded(schema: SchemaNode, isRoot: boolean): Visit | undefined {
  if (!schema.embeddedResource || isRoot) return undefined
  return (value, path, errors, _, work) => {
    if (!isObject(value)) return
    work?.charge(costs.embeddedObject + metadataEntries(value['metadata']) * costs.error, path)
    addAll(errors, validateObject(value, path))
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
export function validateObject(value: JsonObject, path: string): FieldError[] {
  const { apiVersion, kind, metadata } = value
  const errors: FieldError[] = []
  const check = (name: string, text: unknown, problems: (text: string) => readonly string[]) => {
    const at = `${path}.${name}`
    if (text === undefined) errors.push(requiredValue(at, 'must not be empty'))
    else if (text === '') errors.push(invalidValue(at, text, 'must not be empty'))
    else for (const problem of problems(String(text)).slice(0, 1)) errors.push(invalidValue(at, text, problem))
  }
  check('apiVersion', apiVersion, text => (isGroupVersion(text) ? [] : ['must be a version, or a group and a version']))
  check('kind', kind, text => isDns1035Label(text.toLowerCase()))
  if (isObject(metadata)) addAll(errors, validateMetadata(metadata, `${path}.metadata`))
  return errors
}

const isGroupVersion = (text: string) => text.split('/').length <= 2

function validateMetadata(metadata: JsonObject, path: string): FieldError[] {
  const { name, generateName, namespace, generation, labels, annotations, finalizers = [] } = metadata as ObjectMeta
  const errors: FieldError[] = []
  const report = (field: string, value: unknown, problems: readonly string[]) => {
    for (const problem of problems) errors.push(invalidValue(`${path}.${field}`, value, problem))
  }
  if (generateName) report('generateName', generateName, nameIsPathSegment(generateName, true))
  if (name) report('name', name, nameIsPathSegment(name, false))
  if (namespace) report('namespace', namespace, nameIsDnsLabel(namespace, false))
  if ((generation ?? 0) < 0) report('generation', generation, ['must be greater than or equal to 0'])
  if (labels) addAll(errors, validateLabels(labels, `${path}.labels`))
  for (const key of Object.keys(annotations ?? {})) report('annotations', key, isQualifiedName(key.toLowerCase()))
  for (const owner of (metadata['ownerReferences'] ?? []) as JsonObject[])
    for (const field of ['apiVersion', 'kind', 'name', 'uid'])
      if ((owner[field] ?? '') === '') report(`ownerReferences.${field}`, '', ['must not be empty'])
  for (const finalizer of finalizers) report('finalizers', finalizer, isQualifiedName(finalizer))
  return errors
}
