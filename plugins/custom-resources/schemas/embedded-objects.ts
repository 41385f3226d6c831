import {
  addAll,
  badRequest,
  type FieldError,
  invalidValue,
  isDns1035Label,
  ObjectMeta,
  requiredValue,
  validateLabels,
} from 'orch/sdk'
import { coerce, isJsonObject as isObject } from './coerce.js'
import type { SchemaNode } from './schema-node.js'
import type { Visit } from './visit.js'

type Json = Record<string, unknown>

/** Gives the metadata of objects inside objects the form that all metadata has. What is of the wrong type is a 400. */
export function coerceEmbedded(schema: SchemaNode, isRoot: boolean): Visit | undefined {
  if (!schema.embeddedResource || isRoot) return undefined
  return (value, path) => {
    if (isObject(value)) coerceObject(value, path)
  }
}

/** The same for one object. */
export function coerceObject(value: Json, path: string): void {
  for (const name of ['apiVersion', 'kind'])
    if (Object.hasOwn(value, name) && typeof value[name] !== 'string')
      throw badRequest(`${path}.${name}: must be a string`)
  if (!Object.hasOwn(value, 'metadata') || value['metadata'] === null) return
  const metadata = coerce(ObjectMeta, value['metadata'], `${path}.metadata`)
  if (Object.keys(metadata as Json).length === 0) delete value['metadata']
  else value['metadata'] = metadata
}

/** The rules of objects inside objects: what they are must be said, and their metadata be valid. */
export function validateEmbedded(schema: SchemaNode, isRoot: boolean): Visit | undefined {
  if (!schema.embeddedResource || isRoot) return undefined
  return (value, path, errors) => {
    if (isObject(value)) addAll(errors, validateObject(value, path))
  }
}

/** The same for one object. */
export function validateObject(value: Json, path: string): FieldError[] {
  const { apiVersion, kind, metadata } = value
  return [
    ...(apiVersion === undefined || apiVersion === ''
      ? [requiredValue(`${path}.apiVersion`, 'must not be empty')]
      : isGroupVersion(String(apiVersion))
        ? []
        : [invalidValue(`${path}.apiVersion`, apiVersion, 'must be a version, or a group and a version')]),
    ...(kind === undefined || kind === ''
      ? [requiredValue(`${path}.kind`, 'must not be empty')]
      : isDns1035Label(String(kind).toLowerCase()).map(text => invalidValue(`${path}.kind`, kind, text))),
    ...(isObject(metadata) ? validateMetadata(metadata, `${path}.metadata`) : []),
  ]
}

const isGroupVersion = (text: string) => text.split('/').length <= 2 && !text.split('/').some(part => part === '')

function validateMetadata(metadata: Json, path: string): FieldError[] {
  const errors: FieldError[] = []
  if (isObject(metadata['labels']))
    addAll(errors, validateLabels(metadata['labels'] as Record<string, string>, `${path}.labels`))
  for (const owner of (metadata['ownerReferences'] ?? []) as Json[])
    for (const name of ['apiVersion', 'kind', 'name', 'uid'])
      if ((owner[name] ?? '') === '')
        errors.push(invalidValue(`${path}.ownerReferences.${name}`, '', 'must not be empty'))
  return errors
}
