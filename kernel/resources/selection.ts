import {
  type ApiObject,
  badRequest,
  type FieldRequirement,
  parseFieldSelector,
  parseLabelSelector,
  type Requirement,
} from 'orch/sdk'
import { attributeOf, encodeAttributes } from '../storage/attributes.js'
import type { ResourceType } from './resource-type.js'

/** What a client wants of a collection, compiled against the attributes kept beside each object. */
export interface Selection {
  /** Undefined selects everything. */
  readonly filter: ((attributes: Buffer) => boolean) | undefined
  /** Two selections with equal text select the same. */
  readonly text: string
  /** The only name that can match, when a field selector names one. */
  readonly name: string | undefined
  readonly namespace: string | undefined
}

export const everything: Selection = { filter: undefined, text: '', name: undefined, namespace: undefined }

/** Reads labelSelector and fieldSelector; a 400 for one that does not parse or names a field the type does not offer. */
export function parseSelection(type: ResourceType, labelSelector: string, fieldSelector: string): Selection {
  if (labelSelector === '' && fieldSelector === '') return everything
  const labels = labelSelector === '' ? [] : parseLabelSelector(labelSelector)
  const fields = fieldSelector === '' ? [] : parseFieldSelector(fieldSelector)
  for (const { field } of fields) refuseUnknownField(type, field)
  const tests = [...labels.map(compileLabel), ...fields.map(compileField)]
  const [only, second] = tests
  const filter = tests.length === 0 ? undefined : !second ? only : (a: Buffer) => tests.every(test => test(a))
  return {
    filter,
    text: `${labelSelector}\n${fieldSelector}`,
    name: exactValue(fields, 'metadata.name'),
    namespace: exactValue(fields, 'metadata.namespace'),
  }
}

function refuseUnknownField(type: ResourceType, field: string): void {
  const isKnown =
    field === 'metadata.name' ||
    (field === 'metadata.namespace' && type.namespaced) ||
    Object.hasOwn(type.definition.selectableFields ?? {}, field)
  if (!isKnown) throw badRequest(`field label not supported: ${field}`)
}

const exactValue = (fields: readonly FieldRequirement[], field: string) =>
  fields.find(requirement => requirement.field === field && requirement.operator === '=')?.value

function compileLabel({ key, operator, values }: Requirement): (attributes: Buffer) => boolean {
  const wanted = new Set(values)
  const bound = Number(values[0])
  switch (operator) {
    case 'In':
      return attributes => {
        const value = attributeOf(attributes, 'l', key)
        return value !== undefined && wanted.has(value)
      }
    case 'NotIn':
      return attributes => {
        const value = attributeOf(attributes, 'l', key)
        return value === undefined || !wanted.has(value)
      }
    case 'Exists':
      return attributes => attributeOf(attributes, 'l', key) !== undefined
    case 'DoesNotExist':
      return attributes => attributeOf(attributes, 'l', key) === undefined
    case 'Gt':
      return attributes => Number(attributeOf(attributes, 'l', key)) > bound
    case 'Lt':
      return attributes => Number(attributeOf(attributes, 'l', key)) < bound
  }
}

function compileField({ field, operator, value }: FieldRequirement): (attributes: Buffer) => boolean {
  const isEqual = operator === '='
  return attributes => ((attributeOf(attributes, 'f', field) ?? '') === value) === isEqual
}

/** The attributes of an object of the storage version. */
export function attributesOf(type: ResourceType, object: ApiObject): Buffer {
  const { metadata } = object
  const fields: Record<string, string> = { 'metadata.name': metadata.name ?? '' }
  if (type.namespaced) fields['metadata.namespace'] = metadata.namespace ?? ''
  const selectable = type.definition.selectableFields
  if (selectable) {
    for (const field of Object.keys(selectable)) fields[field] = (selectable[field] as (o: ApiObject) => string)(object) ?? ''
  }
  return encodeAttributes({ labels: metadata.labels ?? {}, fields })
}
