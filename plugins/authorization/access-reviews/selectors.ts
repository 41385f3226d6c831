import { addAll, type FieldError, forbiddenField, invalidValue, requiredValue } from 'orch/sdk'
import type { ResourceAccess } from 'orch/sdk/identity'
import {
  type FieldRequirement,
  isQualifiedName,
  isValidLabelValue,
  labelSelectorRequirements,
  parseFieldSelector,
  parseLabelSelector,
  type Requirement,
} from 'orch/sdk/validation'
import type { ResourceAttributes } from './schema.js'

type SelectorAttributes = NonNullable<ResourceAttributes['labelSelector']>
type SentRequirement = NonNullable<SelectorAttributes['requirements']>[number]

/** The errors of the selectors of a review. Unknown operators are accepted: a newer client may use them. */
export function validateSelectors({ fieldSelector, labelSelector }: ResourceAttributes): FieldError[] {
  const path = 'spec.resourceAttributes'
  return [
    ...validateSelector(fieldSelector, `${path}.fieldSelector`, validateFieldKey),
    ...validateSelector(labelSelector, `${path}.labelSelector`, validateLabels),
  ]
}

function validateSelector(
  selector: SelectorAttributes | undefined,
  path: string,
  validateParts: (requirement: SentRequirement, path: string) => FieldError[],
): FieldError[] {
  if (!selector) return []
  const { rawSelector = '', requirements = [] } = selector
  const errors: FieldError[] = []
  if (rawSelector !== '' && requirements.length > 0)
    errors.push(invalidValue(`${path}.rawSelector`, rawSelector, 'may not specified at the same time as requirements'))
  if (rawSelector === '' && requirements.length === 0)
    errors.push(
      requiredValue(`${path}.requirements`, `when ${path} is specified, requirements or rawSelector is required`),
    )
  for (const [i, requirement] of requirements.entries()) {
    const at = `${path}.requirements[${i}]`
    const { operator, values = [] } = requirement
    if ((operator === 'In' || operator === 'NotIn') && values.length === 0)
      errors.push(requiredValue(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'"))
    if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0)
      errors.push(forbiddenField(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
    addAll(errors, validateParts(requirement, at))
  }
  return errors
}

const validateFieldKey = ({ key = '' }: SentRequirement, path: string): FieldError[] =>
  key === '' ? [requiredValue(`${path}.key`, 'must be specified')] : []

const validateLabels = ({ key = '', values = [] }: SentRequirement, path: string): FieldError[] => [
  ...isQualifiedName(key).map(text => invalidValue(`${path}.key`, key, text)),
  ...values.flatMap((value, i) =>
    isValidLabelValue(value).map(text => invalidValue(`${path}.values[${i}]`, value, text)),
  ),
]

/** The selectors of a review, for authorizers, and the parts that could not be parsed, which are ignored. */
export function readSelectors({ fieldSelector, labelSelector }: ResourceAttributes): {
  readonly selectors: Pick<ResourceAccess, 'fieldSelector' | 'labelSelector'>
  readonly problems: readonly string[]
} {
  const fields = readSelector(fieldSelector, parseFieldSelector, readFieldRequirement)
  const labels = readSelector(labelSelector, parseLabelSelector, readLabelRequirement)
  return {
    selectors: {
      ...(fields.known.length > 0 ? { fieldSelector: fields.known } : {}),
      ...(labels.known.length > 0 ? { labelSelector: labels.known } : {}),
    },
    problems: [...problemOf('fieldSelector', fields), ...problemOf('labelSelector', labels)],
  }
}

interface ReadSelector<T> {
  readonly known: readonly T[]
  readonly isIncomplete: boolean
}
function readSelector<T>(
  selector: SelectorAttributes | undefined,
  parse: (text: string) => readonly T[],
  readRequirement: (requirement: SentRequirement) => T | undefined,
): ReadSelector<T> {
  const { rawSelector = '', requirements = [] } = selector ?? {}
  if (rawSelector !== '') {
    try {
      return { known: parse(rawSelector), isIncomplete: false }
    } catch {
      return { known: [], isIncomplete: true }
    }
  }
  const known = requirements.map(readRequirement).filter(requirement => requirement !== undefined)
  return { known, isIncomplete: known.length < requirements.length }
}

const problemOf = (name: string, { known, isIncomplete }: ReadSelector<unknown>): string[] =>
  isIncomplete
    ? [`spec.resourceAttributes.${name} ${known.length > 0 ? 'partially ' : ''}ignored due to parse error`]
    : []

function readFieldRequirement({
  key: field = '',
  operator,
  values = [],
}: SentRequirement): FieldRequirement | undefined {
  const [value] = values
  if (value === undefined || values.length > 1) return undefined
  if (operator === 'In') return { field, operator: '=', value }
  return operator === 'NotIn' ? { field, operator: '!=', value } : undefined
}

function readLabelRequirement({ key = '', operator = '', values }: SentRequirement): Requirement | undefined {
  try {
    const matchExpressions = [{ key, operator: operator as Requirement['operator'], ...(values ? { values } : {}) }]
    return labelSelectorRequirements({ matchExpressions })?.[0]
  } catch {
    return undefined
  }
}

/** Selectors in the form of a review, for webhooks and their match conditions. */
export function selectorAttributes({ fieldSelector = [], labelSelector = [] }: ResourceAccess): Record<string, object> {
  const fields = fieldSelector.map(({ field, operator, value }) => ({
    key: field,
    operator: operator === '=' ? 'In' : 'NotIn',
    values: [value],
  }))
  const labels = labelSelector
    .filter(({ operator }) => operator !== 'Gt' && operator !== 'Lt')
    .map(({ key, operator, values }) => ({ key, operator, ...(values.length > 0 ? { values: [...values] } : {}) }))
  return {
    ...(fields.length > 0 ? { fieldSelector: { requirements: fields } } : {}),
    ...(labels.length > 0 ? { labelSelector: { requirements: labels } } : {}),
  }
}
