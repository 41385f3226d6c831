import {
  type ApiError,
  badRequest,
  defineDifference,
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  requiredValue,
  type Vendor,
} from 'orch/sdk'
import { validateFieldManager } from '../apply/field-manager.js'
import { isTrueParameter } from '../contracts/request-info.js'

/** The options of a request, from its query (and, for deletion, its body), checked the way this API checks them. */
export interface WriteRequestOptions {
  readonly dryRun: boolean
  readonly fieldManager: string
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict'
}
export type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions' | 'ListOptions'

const fieldValidations = ['Ignore', 'Warn', 'Strict']

/** Since server-side field validation, the default is Warn. */
export const warnsAboutUnknownFields = defineDifference({
  name: 'unknown-fields-cause-warnings',
  since: '1.25',
  description: 'fieldValidation is Warn by default: unknown and duplicate fields cause warnings.',
  knownFrom: 'gate',
})
const defaultValidation = ({ level }: Vendor) => (level.has(warnsAboutUnknownFields) ? 'Warn' : 'Ignore')

export const invalidOptions = (vendor: Vendor, kind: OptionsKind, errors: FieldError[]): ApiError =>
  invalid({ group: vendor.metaGroup, kind }, '', errors)

export function dryRunErrors(values: readonly string[]): FieldError[] {
  // An empty value is the same as none: side effects are allowed.
  return values.every(value => value === '' || value === 'All') ? [] : [notSupported('dryRun', values, ['All'])]
}

export function parseWriteOptions(
  vendor: Vendor,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  query: URLSearchParams,
  known: readonly FieldError[] = [],
): WriteRequestOptions {
  const dryRun = query.size === 0 ? [] : query.getAll('dryRun')
  const fieldManager = query.get('fieldManager') ?? ''
  const fieldValidation = query.get('fieldValidation') ?? ''
  if (query.size > 0 || known.length > 0) {
    const errors = [...known, ...dryRunErrors(dryRun), ...validateFieldManager(fieldManager)]
    if (fieldValidation !== '' && !fieldValidations.includes(fieldValidation)) {
      errors.push(notSupported('fieldValidation', fieldValidation, ['', ...fieldValidations]))
    }
    if (errors.length > 0) throw invalidOptions(vendor, kind, errors)
  }
  return {
    dryRun: dryRun.includes('All'),
    fieldManager,
    fieldValidation: (fieldValidation || defaultValidation(vendor)) as WriteRequestOptions['fieldValidation'],
  }
}

/** `force` belongs to apply, and apply needs a manager. */
export function parsePatchOptions(
  vendor: Vendor,
  query: URLSearchParams,
  isApply: boolean,
): WriteRequestOptions & { force: boolean } {
  const errors: FieldError[] = []
  if (isApply && !query.get('fieldManager')) errors.push(requiredValue('fieldManager', 'is required for apply patch'))
  if (!isApply && query.has('force')) errors.push(forbiddenField('force', 'may not be specified for non-apply patch'))
  const options = parseWriteOptions(vendor, 'PatchOptions', query, errors)
  return { ...options, force: isTrueParameter(query, 'force') }
}

/** A whole number in the query; a 400 that names the parameter otherwise. */
export function integerParameter(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  if (!isInt64(text)) throw badRequest(`the query parameter ${name} must be an integer, not ${JSON.stringify(text)}`)
  return Number(text)
}

function isInt64(text: string): boolean {
  if (!/^[+-]?\d{1,19}$/.test(text)) return false
  const value = BigInt(text.replace('+', ''))
  return BigInt.asIntN(64, value) === value
}
