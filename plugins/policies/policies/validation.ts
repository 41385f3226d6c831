import {
  addAll,
  duplicate,
  type FieldError,
  invalidValue,
  notSupported,
  requiredValue,
  type ServedLevel,
  tooMany,
} from 'orch/sdk'
import type { Expressions } from 'orch/sdk/expressions'
import {
  isDns1123Subdomain,
  isQualifiedName,
  validateConditions as validateStatusConditions,
} from 'orch/sdk/validation'
import { compilePolicy, type ReportProblem } from '../compiling/compile-policy.js'
import { bindingsHaveActions } from '../differences.js'
import { isJsonPath } from './json-path-syntax.js'
import type { BindingSpec, MatchResources, MutationRule, PolicySpec, PolicyStatus, ValidationRule } from './schema.js'
import { validateMatchResources, validateParamKind, validateParamRef } from './validate-match.js'

const maxMatchConditions = 64
const maxAuditAnnotations = 20
const maxValueExpressionBytes = 5 * 1024
const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge']
const actions = ['Audit', 'Deny', 'Warn']
const changingOperations = ['*', 'CONNECT', 'CREATE', 'UPDATE']
const patchTypes = ['ApplyConfiguration', 'JSONPatch']

/** Reserved words of CEL, which cannot be names of variables. */
const reservedWords = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)
const isIdentifier = (name: string) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !reservedWords.has(name)
const isBlank = (text: string | undefined) => (text ?? '').trim() === ''
const hasLineBreaks = (text: string) => /[\r\n]/.test(text)

/** Validates a policy, including its expressions. */
export async function validatePolicy(
  kind: 'validating' | 'mutating',
  name: string,
  spec: PolicySpec,
  expressions: Expressions,
  stored?: PolicySpec,
): Promise<FieldError[]> {
  const errors = [
    ...(spec.paramKind ? validateParamKind(spec.paramKind, 'spec.paramKind') : []),
    ...validateConstraints(spec),
    ...(kind === 'mutating' ? refuseDeletions(spec.matchConstraints, 'spec.matchConstraints') : []),
    ...validateConditions(spec),
    ...validateVariables(spec),
    ...(kind === 'validating' ? validateValidations(name, spec) : validateMutations(spec.mutations ?? [])),
    ...(kind === 'mutating' && !spec.reinvocationPolicy ? [requiredValue('spec.reinvocationPolicy')] : []),
  ]
  const forKind = kind === 'mutating' ? { ...spec, mutations: spec.mutations ?? [] } : spec
  const known = new Set(stored ? expressionsOf(stored) : [])
  const report: ReportProblem = (field, text, why) =>
    errors.push(
      why.isInternal
        ? { type: 'InternalError', field, detail: `program instantiation failed: ${why.message}` }
        : invalidValue(field, text, `compilation failed: ${why.message}`),
    )
  await compilePolicy(forKind, expressions, report, {}, text => !known.has(text))
  return errors
}

/** All expressions of a policy. */
function expressionsOf({ matchConditions, variables, validations, auditAnnotations, mutations }: PolicySpec): string[] {
  return [
    ...(matchConditions ?? []).map(({ expression }) => expression),
    ...(variables ?? []).map(({ expression }) => expression),
    ...(validations ?? []).flatMap(({ expression, messageExpression }) => [expression, messageExpression ?? '']),
    ...(auditAnnotations ?? []).map(({ valueExpression }) => valueExpression ?? ''),
    ...(mutations ?? []).flatMap(({ applyConfiguration, jsonPatch }) => [
      applyConfiguration?.expression ?? '',
      jsonPatch?.expression ?? '',
    ]),
  ]
}

function validateConstraints({ matchConstraints: match }: PolicySpec): FieldError[] {
  const path = 'spec.matchConstraints'
  if (!match) return [requiredValue(path)]
  const errors = validateMatchResources(match, path)
  // Without a rule the types that the expressions apply to would be unknown.
  if ((match.resourceRules ?? []).length === 0) errors.push(requiredValue(`${path}.resourceRules`))
  return errors
}

/** A deletion has no object that could be changed. */
const refuseDeletions = (match: MatchResources | undefined, path: string): FieldError[] =>
  (match?.resourceRules ?? []).flatMap(({ operations = [] }) =>
    operations
      .filter(operation => !changingOperations.includes(operation))
      // As in Kubernetes, without indexes.
      .map(operation => notSupported(`${path}.resourceRules.operations`, operation, changingOperations)),
  )

function validateConditions({ matchConditions = [] }: PolicySpec): FieldError[] {
  const path = 'spec.matchConditions'
  const errors: FieldError[] = []
  if (matchConditions.length > maxMatchConditions)
    errors.push(tooMany(path, matchConditions.length, maxMatchConditions))
  const seen = new Set<string>()
  for (const [i, { name, expression }] of matchConditions.entries()) {
    if (isBlank(expression)) errors.push(requiredValue(`${path}[${i}].expression`))
    if (!name) errors.push(requiredValue(`${path}[${i}].name`))
    else
      addAll(
        errors,
        isQualifiedName(name).map(text => invalidValue(`${path}[${i}].name`, name, text)),
      )
    if (name && seen.has(name)) errors.push(duplicate(`${path}[${i}].name`, name))
    seen.add(name)
  }
  return errors
}

/** A later variable replaces an earlier one of the same name. */
function validateVariables({ variables = [] }: PolicySpec): FieldError[] {
  return variables.flatMap(({ name, expression }, i) => {
    const path = `spec.variables[${i}]`
    const errors: FieldError[] = []
    if (isBlank(name)) errors.push(requiredValue(`${path}.name`, 'name is not specified'))
    else if (!isIdentifier(name)) errors.push(invalidValue(`${path}.name`, name, 'name is not a valid CEL identifier'))
    if (isBlank(expression)) errors.push(requiredValue(`${path}.expression`, 'expression is not specified'))
    return errors
  })
}

function validateValidations(name: string, { validations = [], auditAnnotations = [] }: PolicySpec): FieldError[] {
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item'
    return [requiredValue('spec.validations', detail), requiredValue('spec.auditAnnotations', detail)]
  }
  return [
    ...validations.flatMap((rule, i) => validateRule(rule, `spec.validations[${i}]`)),
    ...validateAnnotations(name, auditAnnotations),
  ]
}

function validateRule(rule: ValidationRule, path: string): FieldError[] {
  const { expression, message = '', messageExpression = '', reason } = rule
  const errors: FieldError[] = []
  if (isBlank(expression)) errors.push(requiredValue(`${path}.expression`, 'expression is not specified'))
  if (messageExpression !== '' && isBlank(messageExpression))
    errors.push(invalidValue(`${path}.messageExpression`, messageExpression, 'must be non-empty if specified'))
  if (message !== '' && isBlank(message))
    errors.push(invalidValue(`${path}.message`, message, 'message must be non-empty if specified'))
  else if (hasLineBreaks(message.trim()))
    errors.push(invalidValue(`${path}.message`, message, 'message must not contain line breaks'))
  if (reason !== undefined && !reasons.includes(reason)) errors.push(notSupported(`${path}.reason`, reason, reasons))
  return errors
}

function validateAnnotations(name: string, annotations: NonNullable<PolicySpec['auditAnnotations']>): FieldError[] {
  const path = 'spec.auditAnnotations'
  const errors: FieldError[] = []
  if (annotations.length > maxAuditAnnotations)
    errors.push(invalidValue(path, annotations, `must not have more than ${maxAuditAnnotations} auditAnnotations`))
  const seen = new Set<string>()
  for (const [i, { key, valueExpression: text = '' }] of annotations.entries()) {
    const at = `${path}[${i}]`
    // The key in the audit log is prefixed with the name of the policy.
    const whole = `${name}/${key}`
    const problems = name === '' ? ['the policy must have a name'] : isQualifiedName(whole)
    addAll(
      errors,
      problems.map(why => invalidValue(`${at}.key`, name === '' ? key : whole, why)),
    )
    if (isBlank(text)) errors.push(requiredValue(`${at}.valueExpression`, 'valueExpression is not specified'))
    else if (Buffer.byteLength(text.trim()) > maxValueExpressionBytes)
      errors.push(requiredValue(`${at}.valueExpression`, `must not exceed ${maxValueExpressionBytes} bytes in length`))
    if (seen.has(key)) errors.push(duplicate(`${at}.key`, key))
    seen.add(key)
  }
  return errors
}

function validateMutations(mutations: readonly MutationRule[]): FieldError[] {
  if (mutations.length === 0) return [requiredValue('spec.mutations', 'mutations must contain at least one item')]
  return mutations.flatMap(({ patchType, applyConfiguration, jsonPatch }, i) => {
    const path = `spec.mutations[${i}]`
    if (!patchType) return [requiredValue(`${path}.patchType`)]
    if (!patchTypes.includes(patchType)) return [notSupported(`${path}.patchType`, patchType, patchTypes)]
    const [expected, other, field, otherField] =
      patchType === 'JSONPatch'
        ? [jsonPatch, applyConfiguration, 'jsonPatch', 'applyConfiguration']
        : [applyConfiguration, jsonPatch, 'applyConfiguration', 'jsonPatch']
    const errors: FieldError[] = []
    if (!expected) errors.push(requiredValue(`${path}.${field}`, `must be specified when patchType is ${patchType}`))
    else if (isBlank(expected.expression))
      errors.push(requiredValue(`${path}.${field}.expression`, 'expression is not specified'))
    if (other)
      errors.push(invalidValue(`${path}.${otherField}`, other, `must not be specified when patchType is ${patchType}`))
    return errors
  })
}

/** Validates a binding. */
export function validateBinding(kind: 'validating' | 'mutating', spec: BindingSpec, level: ServedLevel): FieldError[] {
  const { policyName = '', paramRef, matchResources } = spec
  return [
    ...(policyName === '' ? [requiredValue('spec.policyName')] : []),
    ...(policyName === '' ? [] : isDns1123Subdomain(policyName)).map(text =>
      invalidValue('spec.policyName', policyName, text),
    ),
    ...(paramRef ? validateParamRef(paramRef, 'spec.paramRef', level) : []),
    ...(matchResources ? validateMatchResources(matchResources, 'spec.matchResources') : []),
    ...(kind === 'mutating' ? refuseDeletions(matchResources, 'spec.matchResources') : []),
    ...(kind === 'validating' && level.has(bindingsHaveActions) ? validateActions(spec.validationActions ?? []) : []),
  ]
}

function validateActions(values: readonly string[]): FieldError[] {
  const path = 'spec.validationActions'
  const seen = new Set<string>()
  const errors = values.flatMap((action, i) => {
    const found = actions.includes(action) ? [] : [notSupported(`${path}[${i}]`, action, actions)]
    if (seen.has(action)) found.push(duplicate(`${path}[${i}]`, action))
    seen.add(action)
    return found
  })
  if (seen.has('Deny') && seen.has('Warn'))
    errors.push(
      invalidValue(
        path,
        values,
        'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ),
    )
  if (values.length === 0) errors.push(requiredValue(path, 'at least one validation action is required'))
  return errors
}

function validateFieldRef(fieldRef: string, path: string): FieldError[] {
  if (fieldRef === '') return [requiredValue(path)]
  return isJsonPath(fieldRef) ? [] : [invalidValue(path, fieldRef, 'is not a JSONPath')]
}

/** Validates the status of a validating policy. */
export const validateStatus = ({ typeChecking, conditions }: PolicyStatus): FieldError[] => [
  ...(typeChecking?.expressionWarnings ?? []).flatMap(({ fieldRef, warning }, i) => {
    const path = `status.typeChecking.expressionWarnings[${i}]`
    return [
      ...(warning ? [] : [requiredValue(`${path}.warning`)]),
      ...validateFieldRef(fieldRef?.trim() ?? '', `${path}.fieldRef`),
    ]
  }),
  ...validateStatusConditions(conditions, 'status.conditions'),
]
