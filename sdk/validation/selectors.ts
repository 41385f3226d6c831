import { badRequest } from '../resource/api-errors.js'
import {
  addAll,
  describeFieldError,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  requiredValue,
} from '../resource/field-errors.js'
import type { LabelSelector } from '../resource/meta.js'
import { isQualifiedName, isValidLabelValue } from './object-names.js'

/** What a requirement asks of a label. `a=b` and `a==b` are `In` with one value, `a!=b` is `NotIn` with one value. */
export type LabelOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt'

/** One condition on labels. A selector is a list of them, all of which must hold; an empty list selects everything. */
export interface Requirement {
  readonly key: string
  readonly operator: LabelOperator
  /** Sorted and without duplicates when parsed from text. */
  readonly values: readonly string[]
}

/** Labels of an object, as they stand in its metadata. */
export type Labels = Readonly<Record<string, string>>

/** A number as labels compare it: 64-bit, decimal. */
function integerOf(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text)
  return BigInt.asIntN(64, value) === value ? value : undefined
}

function compileRequirement({ key, operator, values }: Requirement): (labels: Labels) => boolean {
  const has = (labels: Labels) => Object.hasOwn(labels, key)
  const wanted = new Set(values)
  const bound = integerOf(values[0] ?? '')
  const compared = (labels: Labels, holds: (value: bigint, bound: bigint) => boolean) => {
    const value = has(labels) ? integerOf(labels[key] ?? '') : undefined
    return value !== undefined && bound !== undefined && holds(value, bound)
  }
  switch (operator) {
    case 'In':
      return labels => has(labels) && wanted.has(labels[key] ?? '')
    case 'NotIn':
      return labels => !has(labels) || !wanted.has(labels[key] ?? '')
    case 'Exists':
      return has
    case 'DoesNotExist':
      return labels => !has(labels)
    case 'Gt':
      return labels => compared(labels, (value, limit) => value > limit)
    case 'Lt':
      return labels => compared(labels, (value, limit) => value < limit)
  }
}

/** Compiles requirements into a test for labels. */
export function labelMatcher(requirements: readonly Requirement[]): (labels: Labels | undefined) => boolean {
  const tests = requirements.map(compileRequirement)
  return (labels = {}) => tests.every(test => test(labels))
}

/** The errors of a requirement, with paths below `path` (`key`, `values`, …). */
export function validateRequirement({ key, operator, values }: Requirement, path = ''): FieldError[] {
  const child = (name: string) => (path === '' ? name : `${path}.${name}`)
  const errors = labelKeyErrors(key, child('key'))
  const broken = (detail: string) => errors.push(invalidValue(child('values'), values, detail))
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) broken(`for 'in', 'notin' operators, values set can't be empty`)
      break
    case 'Exists':
    case 'DoesNotExist':
      if (values.length !== 0) broken('values set must be empty for exists and does not exist')
      break
    case 'Gt':
    case 'Lt':
      if (values.length !== 1) broken(`for 'Gt', 'Lt' operators, exactly one value is required`)
      for (const [i, value] of values.entries())
        if (integerOf(value) === undefined)
          errors.push(
            invalidValue(`${child('values')}[${i}]`, value, `for 'Gt', 'Lt' operators, the value must be an integer`),
          )
      break
    default:
      errors.push(
        notSupported(child('operator'), operator, ['in', 'notin', '=', '==', '!=', 'gt', 'lt', 'exists', '!']),
      )
  }
  for (const [i, value] of values.entries()) {
    const texts = isValidLabelValue(value)
    if (texts.length > 0) errors.push(invalidValue(`${child('values')}[${i}][${key}]`, value, texts.join('; ')))
  }
  return errors
}

/** One error about a label key, in the form selectors report it. */
export function labelKeyErrors(key: string, field: string): FieldError[] {
  const texts = isQualifiedName(key)
  return texts.length === 0 ? [] : [invalidValue(field, key, texts.join('; '))]
}

/** The sentence about several errors at once. */
export function describeFieldErrors(errors: readonly FieldError[]): string {
  const sentences = [...new Set(errors.map(error => `${error.field}: ${describeFieldError(error)}`))]
  return sentences.length === 1 ? (sentences[0] ?? '') : `[${sentences.join(', ')}]`
}

const objectOperators: readonly string[] = ['In', 'NotIn', 'Exists', 'DoesNotExist']
/**
 * The requirements of a LabelSelector object: `undefined` when there is no selector, which selects nothing, and an empty
 * list for an empty one, which selects everything. Throws a 400 for one that `validateLabelSelector` would refuse.
 */
export function labelSelectorRequirements(selector: LabelSelector | null | undefined): Requirement[] | undefined {
  if (selector === undefined || selector === null) return undefined
  const requirements: Requirement[] = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => ({
    key,
    operator: 'In',
    values: [value],
  }))
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    if (!objectOperators.includes(operator))
      throw badRequest(`${JSON.stringify(operator)} is not a valid label selector operator`)
    requirements.push({ key, operator: operator as LabelOperator, values })
  }
  const errors = requirements.flatMap(requirement => validateRequirement(requirement))
  if (errors.length > 0) throw badRequest(describeFieldErrors(errors))
  return requirements
}

/** Compiles a LabelSelector object into a test for labels. */
export function labelSelectorMatcher(
  selector: LabelSelector | null | undefined,
): (labels: Labels | undefined) => boolean {
  const requirements = labelSelectorRequirements(selector)
  return requirements === undefined ? () => false : labelMatcher(requirements)
}

/** The errors of a LabelSelector object at `path`. Values of its expressions are checked on request only: older versions took any. */
export function validateLabelSelector(
  selector: LabelSelector | null | undefined,
  path: string,
  { checksValues = false }: { checksValues?: boolean } = {},
): FieldError[] {
  if (selector === undefined || selector === null) return []
  const errors = validateLabels(selector.matchLabels, `${path}.matchLabels`)
  for (const [i, { key, operator, values = [] }] of (selector.matchExpressions ?? []).entries()) {
    const at = `${path}.matchExpressions[${i}]`
    if (operator === 'In' || operator === 'NotIn') {
      if (values.length === 0)
        errors.push(requiredValue(`${at}.values`, "must be specified when `operator` is 'In' or 'NotIn'"))
    } else if (operator === 'Exists' || operator === 'DoesNotExist') {
      if (values.length > 0)
        errors.push(
          forbiddenField(`${at}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
        )
    } else errors.push(invalidValue(`${at}.operator`, operator, 'not a valid selector operator'))
    addAll(
      errors,
      isQualifiedName(key).map(text => invalidValue(`${at}.key`, key, text)),
    )
    if (checksValues)
      for (const [j, value] of values.entries())
        addAll(
          errors,
          isValidLabelValue(value).map(text => invalidValue(`${at}.values[${j}]`, value, text)),
        )
  }
  return errors
}

/** Whether an expression of the selector has a value that no label can have. */
export const hasImpossibleValue = (selector: LabelSelector | null | undefined): boolean =>
  (selector?.matchExpressions ?? []).some(({ values = [] }) =>
    values.some(value => isValidLabelValue(value).length > 0),
  )

/** The errors of labels at `path`: keys are qualified names, values are label values. */
export function validateLabels(labels: Labels | null | undefined, path: string): FieldError[] {
  return Object.entries(labels ?? {}).flatMap(([key, value]) => [
    ...isQualifiedName(key).map(text => invalidValue(path, key, text)),
    ...isValidLabelValue(value).map(text => invalidValue(path, value, text)),
  ])
}
