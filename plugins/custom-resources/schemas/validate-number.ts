import { addAll, invalidValue } from 'orch/sdk'
import type { SchemaNode } from '../../../libs/json-schema/index.js'
import { isKnownFormat, numberProblem } from '../../../libs/json-schema/index.js'
import type { Check, CheckOptions } from './check.js'
import { costs } from './work.js'

/** The checks of numbers: limits, multiples, formats. */
export function numberChecks(schema: SchemaNode, { numberFormats }: CheckOptions, root: string): Check[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const checks: Check[] = []
  const add = (test: (value: number) => boolean, detail: string) =>
    checks.push((value, path, errors, work) => {
      if (typeof value !== 'number' || test(value)) return
      work.charge(costs.error, path)
      errors.push(invalidValue(path, value, detail))
    })
  if (maximum !== undefined)
    add(
      value => (exclusiveMaximum ? value < maximum : value <= maximum),
      exclusiveMaximum ? `should be less than ${maximum}` : `should be less than or equal to ${maximum}`,
    )
  if (minimum !== undefined)
    add(
      value => (exclusiveMinimum ? value > minimum : value >= minimum),
      exclusiveMinimum ? `should be greater than ${minimum}` : `should be greater than or equal to ${minimum}`,
    )
  if (multipleOf !== undefined && multipleOf > 0)
    add(value => isMultiple(value, multipleOf), `should be a multiple of ${multipleOf}`)
  if (numberFormats) addAll(checks, numberFormatChecks(schema, root))
  return checks
}

/** Numbers and their limits must be in the range of the format; errors are reported for the whole object. */
function numberFormatChecks({ type, format, multipleOf, maximum, minimum }: SchemaNode, root: string): Check[] {
  const isOfType = type === 'integer' || type === 'number'
  const ofType = isOfType ? type : ''
  const ofFormat = isOfType && isKnownFormat(type, format) ? format : ''
  const limits = [multipleOf, maximum, minimum].filter(limit => limit !== undefined)
  const wrongLimits = limits.filter(limit => numberProblem(limit, ofType, ofFormat) !== undefined)
  if (ofType !== 'integer' && ofFormat !== 'float') return []
  return [
    (value, path, errors, work) => {
      if (typeof value !== 'number') return
      const problem = numberProblem(value, ofType, ofFormat)
      for (const wrong of problem === undefined ? wrongLimits : [value, ...wrongLimits]) {
        work.charge(costs.error, path)
        errors.push(invalidValue(root, wrong, `${path}: ${wrong} ${numberProblem(wrong, ofType, ofFormat)}`))
      }
    },
  ]
}

/** 0.3 is a multiple of 0.1 despite floating-point rounding. */
function isMultiple(value: number, of: number): boolean {
  const ratio = value / of
  return Math.abs(ratio - Math.round(ratio)) <= Math.abs(ratio) * Number.EPSILON * 4
}
