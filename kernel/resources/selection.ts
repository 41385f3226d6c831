import { type ApiObject, badRequest } from 'orch/sdk'
import type { AttributeFilter } from 'orch/sdk/host'
import {
  type FieldRequirement,
  labelMatcher,
  parseFieldSelector,
  parseLabelSelector,
  type Requirement,
} from 'orch/sdk/validation'
import { type AttributeRequirement, compileAttributeFilter } from '../storage/attributes.js'
import type { CompiledVersion } from '../types/compiled-version.js'
import type { ResourceType } from '../types/resource-type.js'
import { attributesIn } from '../types/stored-form.js'

/** The selectors of a request, compiled for the attributes that are stored beside each object. */
export interface Selection {
  /** Undefined selects everything. */
  readonly filter: AttributeFilter | undefined
  /** Set where only objects that have been converted to the requested version can be compared; then there is no filter. */
  readonly matches?: (object: ApiObject) => boolean
  /** With `matches`, for callers that cannot wait for a conversion: compares stored attributes, where that is possible. */
  readonly storedFilter?: AttributeFilter | undefined
  /** Two selections with equal text select the same. */
  readonly text: string
  /** The only name that can match, when a field selector names one. */
  readonly name: string | undefined
  readonly namespace: string | undefined
}

export const everything: Selection = { filter: undefined, text: '', name: undefined, namespace: undefined }

/** Parses labelSelector and fieldSelector; a 400 for one that is invalid or names a field that cannot be selected by. */
export function parseSelection(
  type: ResourceType,
  version: CompiledVersion,
  labelSelector: string,
  fieldSelector: string,
): Selection {
  if (labelSelector === '' && fieldSelector === '') return everything
  const labels = labelSelector === '' ? [] : parseLabelSelector(labelSelector)
  const fields = fieldSelector === '' ? [] : parseFieldSelector(fieldSelector)
  for (const { field } of fields) refuseUnknownField(type, version, field)
  const requirements = [...labels.map(labelRequirement), ...fields.map(fieldRequirement)]
  const filter = requirements.length === 0 ? undefined : compileAttributeFilter(requirements)
  const isConverted = filter !== undefined && needsConversion(type, version, fields)
  return {
    ...(isConverted
      ? {
          filter: undefined,
          matches: object => filter(attributesIn(type, version, object)),
          storedFilter: version.isStorage || fields.every(isOfMetadata) ? filter : undefined,
        }
      : { filter }),
    text: JSON.stringify([labelSelector, fieldSelector]),
    name: exactValue(fields, 'metadata.name'),
    namespace: exactValue(fields, 'metadata.namespace'),
  }
}

const isOfMetadata = ({ field }: FieldRequirement) => field.startsWith('metadata.')

/** Objects that a webhook converts may have other labels and fields in this version than in the stored one. */
function needsConversion(type: ResourceType, version: CompiledVersion, fields: readonly FieldRequirement[]): boolean {
  if (typeof type.definition.conversion !== 'function') return false
  return !version.isStorage || !fields.every(isOfMetadata)
}

function refuseUnknownField(type: ResourceType, version: CompiledVersion, field: string): void {
  const selectableFields = version.definition.selectableFields ?? type.definition.selectableFields
  const known = [
    'metadata.name',
    // Types without declared fields can be selected by name and namespace; a cluster-scoped type has an empty namespace.
    ...(type.namespaced || (selectableFields === undefined && type.conventions.selectsByEmptyNamespace)
      ? ['metadata.namespace']
      : []),
    ...Object.keys(selectableFields ?? {}),
  ]
  if (!known.includes(field))
    throw badRequest(
      `field label not supported: ${field}; ${type.definition.resource} can be selected by ${[...new Set(known)].join(', ')}`,
    )
}

const exactValue = (fields: readonly FieldRequirement[], field: string) =>
  fields.find(requirement => requirement.field === field && requirement.operator === '=')?.value

const setOperators = { In: 'in', NotIn: 'notIn', Exists: 'exists', DoesNotExist: 'notExists' } as const

function labelRequirement(requirement: Requirement): AttributeRequirement {
  const { key, operator, values } = requirement
  if (operator === 'Gt' || operator === 'Lt') {
    const matches = labelMatcher([requirement])
    const passes = (value: string | undefined) => value !== undefined && matches({ [key]: value })
    return { kind: 'l', name: key, operator: 'passes', passes }
  }
  return { kind: 'l', name: key, operator: setOperators[operator], values }
}

function fieldRequirement({ field, operator, value }: FieldRequirement): AttributeRequirement {
  // An absent field counts as empty, so only a non-empty value can be looked up directly.
  if (value === '')
    return {
      kind: 'f',
      name: field,
      operator: 'passes',
      passes: found => ((found ?? '') === '') === (operator === '='),
    }
  return { kind: 'f', name: field, operator: operator === '=' ? 'in' : 'notIn', values: [value] }
}
