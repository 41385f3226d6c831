import { addAll, type FieldError, invalidValue, notSupported, requiredValue } from 'orch/sdk'
import { itemSchema, type SchemaNode, type SchemaRule, valueSchema } from '../../../libs/json-schema/index.js'
import type { SchemaKeywords } from '../names.js'
import { findField } from '../schemas/field-path.js'

/** Validates everything about the rules of a schema but their expressions. */
export function validateRuleTexts(schema: SchemaNode, path: string, { validations }: SchemaKeywords): FieldError[] {
  const errors: FieldError[] = []
  const visit = (at: SchemaNode, atPath: string) => {
    for (const [i, rule] of at.rules.entries()) addAll(errors, validateText(rule, `${atPath}.${validations}[${i}]`, at))
    for (const [name, field] of at.properties) visit(field, `${atPath}.properties[${name}]`)
    const items = itemSchema(at)
    if (items) visit(items, `${atPath}.items`)
    const values = valueSchema(at)
    if (values) visit(values, `${atPath}.additionalProperties`)
    for (const [part, step] of logicalParts(at)) visit(part, `${atPath}.${step}`)
  }
  visit(schema, path)
  return errors
}

/** Rules are forbidden in these; their texts are checked all the same. */
export const logicalParts = ({ allOf, anyOf, oneOf, not }: SchemaNode): [part: SchemaNode, step: string][] => [
  ...Object.entries({ allOf, anyOf, oneOf }).flatMap(([name, parts]) =>
    parts.map((part, i): [SchemaNode, string] => [part, `${name}[${i}]`]),
  ),
  ...(not ? [[not, 'not'] as [SchemaNode, string]] : []),
]

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired']
const hasLineBreaks = (text: string) => /[\r\n]/.test(text)

/** Validates everything about a rule but its expressions. */
export function validateText(source: SchemaRule, path: string, schema: SchemaNode): FieldError[] {
  const { rule = '', message = '', messageExpression = '', reason, fieldPath = '' } = source
  const errors: FieldError[] = []
  if (rule.trim() === '') errors.push(requiredValue(`${path}.rule`, 'rule is not specified'))
  else if (message !== '' && message.trim() === '')
    errors.push(invalidValue(`${path}.message`, message, 'must not be blank'))
  else if (hasLineBreaks(message.trim()))
    errors.push(invalidValue(`${path}.message`, message, 'must not contain line breaks'))
  else if (hasLineBreaks(rule.trim()) && message.trim() === '')
    errors.push(requiredValue(`${path}.message`, 'must be specified if the rule contains line breaks'))
  if (messageExpression !== '' && messageExpression.trim() === '')
    errors.push(requiredValue(`${path}.messageExpression`, 'must not be blank'))
  if (reason !== undefined && !reasons.includes(reason)) errors.push(notSupported(`${path}.reason`, reason, reasons))
  if (fieldPath === '') return errors
  const at = `${path}.fieldPath`
  if (fieldPath.trim() === '') errors.push(invalidValue(at, fieldPath, 'must not be blank'))
  if (hasLineBreaks(fieldPath)) errors.push(invalidValue(at, fieldPath, 'must not contain line breaks'))
  const found = findField(fieldPath, schema)
  if (typeof found === 'string') errors.push(invalidValue(at, fieldPath, `must be a valid path: ${found}`))
  return errors
}
