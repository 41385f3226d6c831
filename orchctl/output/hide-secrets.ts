import type { ApiObject } from 'orch/sdk'

const fields = ['data', 'stringData'] as const
const isSecret = ({ apiVersion, kind }: ApiObject) => kind === 'Secret' && apiVersion === 'v1'
const valuesOf = (object: ApiObject | undefined, field: string) => (object?.[field] ?? {}) as Record<string, unknown>

/** The annotation of client-side apply, which contains the whole applied object, including values. */
const isApplyRecord = (annotation: string) => annotation.endsWith('/last-applied-configuration')
function withoutApplyRecord(object: ApiObject): ApiObject {
  const { annotations, ...metadata } = object.metadata
  if (annotations === undefined) return object
  const kept = Object.entries(annotations).filter(([key]) => !isApplyRecord(key))
  return { ...object, metadata: { ...metadata, annotations: Object.fromEntries(kept) } }
}

/** Two states of an object for comparison. For Secrets they show which values changed, but not the values. */
export function hideSecrets(before: ApiObject | undefined, after: ApiObject): [ApiObject | undefined, ApiObject] {
  if (!isSecret(after)) return [before, after]
  const hidden = (object: ApiObject, other: ApiObject | undefined, note: string): ApiObject => {
    const copy = withoutApplyRecord({ ...object })
    for (const field of fields)
      if (object[field] !== undefined)
        copy[field] = Object.fromEntries(
          Object.entries(valuesOf(object, field)).map(([key, value]) => {
            const others = valuesOf(other, field)
            return [key, key in others && others[key] !== value ? `*** (${note})` : '***']
          }),
        )
    return copy
  }
  return [before && hidden(before, after, 'before'), hidden(after, before, 'after')]
}

/** A Secret with the sizes of its values instead of the values; other objects unchanged. */
export function withSizes(object: ApiObject): ApiObject {
  if (!isSecret(object)) return object
  const sizes = Object.entries(valuesOf(object, 'data')).map(([key, value]) => [
    key,
    `${Buffer.from(String(value), 'base64').length} bytes`,
  ])
  return { ...withoutApplyRecord(object), data: Object.fromEntries(sizes) }
}
