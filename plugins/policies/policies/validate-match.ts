import {
  addAll,
  duplicate,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  requiredValue,
  type ServedLevel,
} from 'orch/sdk'
import { validateAdmissionRule } from 'orch/sdk/admission'
import { isDns1035Label, isDns1123Subdomain, isPathSegmentName, validateLabelSelector } from 'orch/sdk/validation'
import { paramRefsHaveNotFoundAction } from '../differences.js'
import type { MatchResources, NamedRule, ParamKind, ParamRef } from './schema.js'

/** Validates match constraints. */
export function validateMatchResources(match: MatchResources, path: string): FieldError[] {
  const rules = (field: 'resourceRules' | 'excludeResourceRules') =>
    (match[field] ?? []).flatMap((rule, i) => validateNamedRule(rule, `${path}.${field}[${i}]`))
  return [
    ...validateLabelSelector(match.namespaceSelector, `${path}.namespaceSelector`, { checksValues: true }),
    ...validateLabelSelector(match.objectSelector, `${path}.objectSelector`, { checksValues: true }),
    ...rules('resourceRules'),
    ...rules('excludeResourceRules'),
  ]
}

function validateNamedRule(rule: NamedRule, path: string): FieldError[] {
  const seen = new Set<string>()
  const names = (rule.resourceNames ?? []).flatMap((name, i) => {
    const at = `${path}.resourceNames[${i}]`
    const errors = isPathSegmentName(name).map(text => invalidValue(at, name, text))
    if (seen.has(name)) errors.push(duplicate(at, name))
    seen.add(name)
    return errors
  })
  return [...names, ...validateAdmissionRule(rule, path)]
}

/** Validates the kind of parameters. */
export function validateParamKind({ apiVersion = '', kind = '' }: ParamKind, path: string): FieldError[] {
  return [...validateApiVersion(apiVersion, `${path}.apiVersion`), ...validateKind(kind, `${path}.kind`)]
}

function validateApiVersion(apiVersion: string, path: string): FieldError[] {
  if (apiVersion === '') return [requiredValue(path)]
  const parts = apiVersion.split('/')
  if (parts.length > 2) return [invalidValue(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)]
  const [version = '', group = ''] = parts.reverse()
  const groupTexts = group === '' ? [] : isDns1123Subdomain(group)
  return [
    ...groupTexts.map(text => invalidValue(path, group, text)),
    ...isDns1035Label(version).map(text => invalidValue(path, version, text)),
  ]
}

function validateKind(kind: string, path: string): FieldError[] {
  if (kind === '') return [requiredValue(path)]
  const texts = isDns1035Label(kind.toLowerCase())
  if (texts.length === 0) return []
  return [invalidValue(path, kind, `may have mixed case, but should otherwise match: ${texts.join(',')}`)]
}

const notFoundActions = ['Allow', 'Deny']

/** Validates the reference to parameters. */
export function validateParamRef(ref: ParamRef, path: string, level: ServedLevel): FieldError[] {
  const { name = '', selector, parameterNotFoundAction: action = '' } = ref
  const errors: FieldError[] = []
  if (name !== '') {
    addAll(
      errors,
      isPathSegmentName(name).map(text => invalidValue(`${path}.name`, name, text)),
    )
    if (selector) errors.push(forbiddenField(`${path}.name`, 'name and selector are mutually exclusive'))
  }
  if (selector) {
    addAll(errors, validateLabelSelector(selector, `${path}.selector`, { checksValues: true }))
    if (name !== '') errors.push(forbiddenField(`${path}.selector`, 'name and selector are mutually exclusive'))
  }
  if (name === '' && !selector) errors.push(requiredValue(path, 'one of name or selector must be specified'))
  if (!level.has(paramRefsHaveNotFoundAction)) return errors
  if (action === '') errors.push(requiredValue(`${path}.parameterNotFoundAction`))
  else if (!notFoundActions.includes(action))
    errors.push(notSupported(`${path}.parameterNotFoundAction`, action, notFoundActions))
  return errors
}
