import type { ApiObject } from 'orch/sdk'
import { areAnnotationsTooLarge } from 'orch/sdk/validation'
import type { FieldManagerType } from './field-manager-type.js'
import { checkTyped } from './structured-merge/check-typed.js'
import { compare } from './structured-merge/compare.js'
import { difference, type FieldSet } from './structured-merge/field-set.js'
import { escapedJson, type JsonObject, own, setOwn } from './structured-merge/json-values.js'
import { compareText } from './structured-merge/path-element.js'
import { toFieldSet } from './structured-merge/to-field-set.js'

/**
 * Migration from client-side to server-side apply. The command-line client stores its last applied object in an annotation;
 * when it applies server-side under its own name, fields that still have the values in the annotation count as its own and
 * do not conflict. The annotation is kept up to date, so that the client can also switch back.
 */

/** The fields that belong to the client by its last client-side apply; `undefined` if there was none. */
export function allowedByLastApplied(type: FieldManagerType, live: ApiObject, manager: string): FieldSet | undefined {
  const text = lastApplied(type, live, manager)
  if (text === undefined) return undefined
  try {
    const { apiVersion, kind: _, ...config } = JSON.parse(text) as JsonObject
    if (apiVersion !== type.groupVersion) return undefined
    checkTyped(config, type.model)
    const { added, modified, removed } = compare(config, live, type.model)
    return [modified, added, removed].reduce(difference, toFieldSet(config, type.model))
  } catch {
    // An invalid annotation has no effect; the conflicts are reported.
    return undefined
  }
}

/** Updates the annotation, if there is one, to the applied object. */
export function refreshLastApplied(
  type: FieldManagerType,
  object: ApiObject,
  applied: ApiObject,
  manager: string,
): ApiObject {
  const annotation = type.clientSideApply?.annotation
  if (annotation === undefined || lastApplied(type, object, manager) === undefined) return object
  const annotations: Record<string, string> = { ...object.metadata.annotations }
  const text = `${escapedJson(sortKeys(withoutAnnotation(type, applied, annotation)))}\n`
  annotations[annotation] = text
  // An annotation that is too large is dropped rather than making the object invalid.
  if (areAnnotationsTooLarge(annotations)) delete annotations[annotation]
  return { ...object, metadata: { ...object.metadata, annotations } }
}

function lastApplied(type: FieldManagerType, object: ApiObject, manager: string): string | undefined {
  const client = type.clientSideApply
  if (client === undefined || client.manager !== manager) return undefined
  return object.metadata?.annotations?.[client.annotation] || undefined
}

function withoutAnnotation(type: FieldManagerType, applied: ApiObject, annotation: string): JsonObject {
  const { annotations, ...metadata } = (applied.metadata ?? {}) as ApiObject['metadata']
  const { [annotation]: _, ...others } = annotations ?? {}
  return {
    ...applied,
    apiVersion: type.groupVersion,
    ...(applied.kind || type.kind ? { kind: applied.kind ?? type.kind } : {}),
    metadata: annotations ? { ...metadata, annotations: others } : metadata,
  }
}

/** Sorts keys as the client does, so that its next comparison finds no difference. Not recursive, because the object may nest deeply. */
function sortKeys(value: JsonObject): JsonObject {
  const root = { value }
  const open: JsonObject[] = [root]
  for (const parent of open)
    for (const [key, part] of Object.entries(parent)) {
      if (typeof part !== 'object' || part === null) continue
      const sorted = Array.isArray(part) ? part.slice() : inOrder(part as JsonObject)
      setOwn(parent, key, sorted)
      open.push(sorted as JsonObject)
    }
  return root.value
}
function inOrder(object: JsonObject): JsonObject {
  const sorted: JsonObject = {}
  for (const key of Object.keys(object).sort(compareText)) setOwn(sorted, key, own(object, key))
  return sorted
}
