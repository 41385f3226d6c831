import { addAll, type FieldError, forbiddenField, invalidValue, requiredValue } from '../../resource/field-errors.js'
import { isDns1123Subdomain, isQualifiedName, isValidLabelValue } from '../../validation/object-names.js'
import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from '../node-selector.js'

/** How many values an operator of a node selector takes, as an error for `values` when it is another number. */
function checkValues({ operator, values = [] }: NodeSelectorRequirement, field: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
        ? []
        : [requiredValue(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")]
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? []
        : [forbiddenField(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
    case 'Gt':
    case 'Lt':
      return values.length === 1
        ? []
        : [requiredValue(`${field}.values`, "must be specified single value when `operator` is 'Lt' or 'Gt'")]
    default:
      return [invalidValue(`${field}.operator`, operator, 'not a valid selector operator')]
  }
}

/** Whether values must be valid label values. */
interface ValueRules {
  readonly checksValues?: boolean
}

/** A requirement on a label of a node. */
const validateNodeLabelRequirement = (
  requirement: NodeSelectorRequirement,
  field: string,
  { checksValues = false }: ValueRules,
): FieldError[] => [
  ...checkValues(requirement, field),
  ...isQualifiedName(requirement.key).map(text => invalidValue(`${field}.key`, requirement.key, text)),
  ...(checksValues ? (requirement.values ?? []) : []).flatMap((value, i) =>
    isValidLabelValue(value).map(text => invalidValue(`${field}.values[${i}]`, value, text)),
  ),
]

/** Whether a selector has a value that no label can have. */
export const hasImpossibleNodeValue = (selector: NodeSelector | undefined): boolean =>
  (selector?.nodeSelectorTerms ?? []).some(({ matchExpressions = [] }) =>
    matchExpressions.some(({ values = [] }) => values.some(value => isValidLabelValue(value).length > 0)),
  )

/** A requirement on a field of a node; only its name can be selected. */
function validateNodeFieldRequirement({ key, operator, values = [] }: NodeSelectorRequirement, field: string) {
  const errors: FieldError[] = []
  if (operator !== 'In' && operator !== 'NotIn')
    errors.push(invalidValue(`${field}.operator`, operator, 'not a valid selector operator'))
  else if (values.length !== 1)
    errors.push(
      requiredValue(
        `${field}.values`,
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
      ),
    )
  if (key !== 'metadata.name') errors.push(invalidValue(`${field}.key`, key, 'not a valid field selector key'))
  else
    addAll(
      errors,
      values.flatMap((value, i) =>
        isDns1123Subdomain(value).map(text => invalidValue(`${field}.values[${i}]`, value, text)),
      ),
    )
  return errors
}

/** The rules for one term. */
export const validateNodeSelectorTerm = (
  term: NodeSelectorTerm,
  field: string,
  rules: ValueRules = {},
): FieldError[] => [
  ...(term.matchExpressions ?? []).flatMap((requirement, i) =>
    validateNodeLabelRequirement(requirement, `${field}.matchExpressions[${i}]`, rules),
  ),
  ...(term.matchFields ?? []).flatMap((requirement, i) =>
    validateNodeFieldRequirement(requirement, `${field}.matchFields[${i}]`),
  ),
]

/** The rules for a node selector: at least one term, each well-formed. */
export function validateNodeSelector(
  { nodeSelectorTerms }: NodeSelector,
  field: string,
  rules: ValueRules = {},
): FieldError[] {
  const terms = nodeSelectorTerms ?? []
  if (terms.length === 0)
    return [requiredValue(`${field}.nodeSelectorTerms`, 'must have at least one node selector term')]
  return terms.flatMap((term, i) => validateNodeSelectorTerm(term, `${field}.nodeSelectorTerms[${i}]`, rules))
}
