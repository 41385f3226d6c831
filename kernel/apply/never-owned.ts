import type { ApiObject } from 'orch/sdk'
import { derive } from '../schema/derive.js'
import type { FieldManagerType } from './field-manager-type.js'
import { emptySet, type FieldSet, setOf, union } from './structured-merge/field-set.js'
import { fieldElement } from './structured-merge/path-element.js'

const pathOf = (dotted: string) => dotted.split('.').map(fieldElement)

const serverMetadata = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
]
/** Fields that identify the object, or that only the server writes. They are never owned. */
const serverFields = setOf(['apiVersion', 'kind', ...serverMetadata.map(name => `metadata.${name}`)].map(pathOf))

/** Whether an applied object has the same values of these fields as the live one, or leaves them unset. Null counts as unset. */
export function sameServerFields(live: ApiObject, applied: ApiObject): boolean {
  const [before, after]: Record<string, unknown>[] = [{ ...live.metadata }, { ...applied.metadata }]
  return serverMetadata.every(name => {
    const value = after?.[name]
    return value === undefined || value === null || value === before?.[name]
  })
}

/** `metadata` itself, without its fields. */
export const metadataItself: FieldSet = setOf([pathOf('metadata')])

/** The fields that are not owned on the path of a write. */
export interface UnownedFields {
  /** The fields that the path resets. */
  readonly reset: FieldSet
  /** These and those that are not owned on any path. */
  readonly ignored: FieldSet
}
export const unownedFields = (type: FieldManagerType): UnownedFields => derive(type, makeUnowned, type.resetFields)

function makeUnowned({ resetFields }: FieldManagerType): UnownedFields {
  const reset = resetFields.length === 0 ? emptySet : setOf(resetFields.map(pathOf))
  return { reset, ignored: union(serverFields, reset) }
}
