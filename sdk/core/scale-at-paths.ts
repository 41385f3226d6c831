import { invalid } from '../resource/api-errors.js'
import { ageColumn, nameColumn } from '../resource/columns.js'
import { type FieldError, invalidValue } from '../resource/field-errors.js'
import { fieldsOfPath } from '../resource/json-path.js'
import type { ApiObject } from '../resource/meta.js'
import type { JsonObject } from '../resource/own-value.js'
import type { ActionSubresource, ScalePaths } from '../resource/subresources.js'
import { Scale } from './scale.js'
import { isAnyVersion, refuseOtherObject, scaleAsTable } from './scaled-object.js'

function valueAt(object: unknown, fields: readonly string[]): unknown {
  let value = object
  for (const field of fields) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) return undefined
    value = (value as JsonObject)[field]
  }
  return value
}

/** Whether a value on the way is neither an object nor null. */
function isBlocked(object: unknown, fields: readonly string[]): boolean {
  const values = fields.map((_, i) => valueAt(object, fields.slice(0, i)))
  return values.some(
    value => value !== undefined && value !== null && (typeof value !== 'object' || Array.isArray(value)),
  )
}

function setAt(object: JsonObject, fields: readonly string[], value: unknown): void {
  const last = fields.at(-1)!
  let place = object
  for (const field of fields.slice(0, -1)) {
    const next = Object.hasOwn(place, field) ? place[field] : undefined
    if (typeof next !== 'object' || next === null || Array.isArray(next)) place[field] = {}
    place = place[field] as JsonObject
  }
  place[last] = value
}

/** The values at the paths of a scale must be numbers, and its selector a string. */
export function validateScale(object: unknown, paths: ScalePaths): FieldError[] {
  const errors: FieldError[] = []
  for (const path of [paths.specReplicasPath, paths.statusReplicasPath]) {
    const fields = fieldsOfPath(path)
    const value = valueAt(object, fields)
    if (isBlocked(object, fields))
      errors.push(invalidValue(path, 0, 'the path leads through a value that is no object'))
    if (value === undefined) continue
    if (!Number.isInteger(value)) errors.push(invalidValue(path, value, 'must be a whole number'))
    else if ((value as number) < 0) errors.push(invalidValue(path, value, 'must be greater than or equal to 0'))
    else if ((value as number) > maxReplicas) errors.push(invalidValue(path, value, `must be at most ${maxReplicas}`))
  }
  const selectorPath = paths.labelSelectorPath ?? ''
  const selectorFields = fieldsOfPath(selectorPath)
  const selector = selectorPath === '' ? undefined : valueAt(object, selectorFields)
  if (selectorPath !== '' && isBlocked(object, selectorFields))
    errors.push(invalidValue(selectorPath, '', 'the path leads through a value that is no object'))
  if (selector !== undefined && typeof selector !== 'string')
    errors.push(invalidValue(selectorPath, selector, 'must be a string'))
  return errors
}
const maxReplicas = 2 ** 31 - 1

/** Completes and validates scaled objects of types whose rules the kernel does not apply, such as custom resources. */
export interface ScaleRules {
  settle(draft: ApiObject, before: ApiObject): void | Promise<void>
}

/** The subresource `scale` of objects that keep their numbers at these paths, such as `.spec.replicas`. */
export function scaleAtPaths(
  subject: { readonly group: string; readonly resource: string },
  paths: ScalePaths,
  rules?: ScaleRules,
): ActionSubresource {
  const specFields = fieldsOfPath(paths.specReplicasPath)
  const statusFields = fieldsOfPath(paths.statusReplicasPath)
  const selectorFields = fieldsOfPath(paths.labelSelectorPath ?? '')
  const numberAt = (object: ApiObject, fields: readonly string[]) => {
    const value = valueAt(object, fields)
    return typeof value === 'number' ? value : 0
  }
  const show = (object: ApiObject) => {
    const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
    // A missing number counts as 0, so that the scale of every object can be read and set.
    const replicas = numberAt(object, specFields)
    const selector = selectorFields.length === 0 ? '' : valueAt(object, selectorFields)
    return {
      metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
      spec: replicas === 0 ? {} : { replicas },
      status: {
        replicas: numberAt(object, statusFields),
        ...(typeof selector === 'string' && selector !== '' ? { selector } : {}),
      },
    }
  }
  return {
    kind: 'action',
    group: 'autoscaling',
    version: 'v1',
    objectKind: 'Scale',
    schema: Scale,
    ...scaleAsTable(nameColumn, { ...ageColumn, type: 'date' }),
    scalePaths: paths,
    appliedFields: ({ spec }: Scale) => {
      const applied: JsonObject = {}
      setAt(applied, specFields, spec?.replicas ?? 0)
      return applied
    },
    handlers: {
      get: ({ target }) => ({ object: show(target as ApiObject) }),
      async update({ body, name, updateTarget }) {
        const { metadata, spec } = body as Scale
        const unowned = spec?.replicas ? undefined : specFields
        const updated = await updateTarget(
          (draft, stored) => {
            refuseOtherObject(subject, draft.metadata, metadata)
            // Every update of a custom resource names a version.
            if (isAnyVersion(metadata?.resourceVersion ?? ''))
              throw invalid({ group: subject.group, kind: subject.resource }, name, [
                invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
              ])
            setAt(draft, specFields, spec?.replicas ?? 0)
            return rules?.settle(draft, stored)
          },
          { unowned },
        )
        return { object: show(updated) }
      },
    },
  }
}
