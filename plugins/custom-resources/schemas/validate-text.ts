import { type FieldError, invalidValue, tooLong } from 'orch/sdk'
import type { SchemaNode } from '../../../libs/json-schema/index.js'
import { formatCheck } from '../../../libs/json-schema/index.js'
import { patternSize } from '../../../libs/patterns/index.js'
import type { Check, CheckOptions } from './check.js'
import { compileCost, patternTest } from './pattern.js'
import { costs, type Work } from './work.js'

/** Whether a string is valid. */
type TextTest = (text: string, path: string, work: Work) => boolean

/** The checks of strings: length, pattern, format. */
export function textChecks(
  { type, minLength, maxLength, pattern, format }: SchemaNode,
  options: CheckOptions,
): Check[] {
  /** Of length and pattern, the first error is reported. */
  const ofForm: Check[] = []
  const add = (
    test: TextTest,
    detail: string,
    errorOf = (path: string, value: string): FieldError => invalidValue(path, value, detail),
    checks = ofForm,
  ) =>
    checks.push((value, path, errors, work) => {
      if (typeof value !== 'string' || test(value, path, work)) return
      work.charge(costs.error, path)
      errors.push(errorOf(path, value))
    })
  // Reading a character takes a fraction of a unit.
  const reading =
    (test: (text: string) => boolean): TextTest =>
    (text, path, work) => {
      work.charge(text.length / 8, path)
      return test(text)
    }
  if (maxLength !== undefined)
    add(
      reading(text => text.length <= maxLength || lengthOf(text) <= maxLength),
      `should be at most ${maxLength} chars long`,
      ...(options.typedReasons ? [(path: string) => tooLong(path, maxLength)] : []),
    )
  if (minLength !== undefined)
    add(
      reading(text => lengthOf(text) >= minLength),
      `should be at least ${minLength} chars long`,
    )
  if (pattern !== '') add(metered(pattern), `should match '${pattern}'`)
  const isFormat = type === '' || type === 'string' ? formatCheck(format, options) : undefined
  const checks: Check[] = ofForm.length < 2 ? ofForm : [firstOf(ofForm)]
  if (isFormat)
    add(
      (text, path, work) => {
        work.charge(costs.formatCharacter * text.length, path)
        return isFormat(text)
      },
      `must be of type ${format}`,
      (path, value) => {
        const error = invalidValue(path, value, `must be of type ${format}`)
        return options.typedReasons ? { ...error, type: 'FieldValueTypeInvalid' } : error
      },
      checks,
    )
  return checks
}

const firstOf =
  (checks: readonly Check[]): Check =>
  (value, path, errors, work) => {
    const before = errors.length
    for (const check of checks) {
      check(value, path, errors, work)
      if (errors.length > before) return
    }
  }

/** Tests a pattern, charging for every character times every instruction. */
function metered(pattern: string): TextTest {
  const test = patternTest(pattern)
  const size = patternSize(pattern)
  return (text, path, work) => {
    work.charge(compileCost(pattern, size) + size * (text.length + 1), path)
    return test(text)
  }
}

/** The length in code points: surrogate pairs count once. */
function lengthOf(text: string): number {
  let length = text.length
  for (let index = 0; index < text.length - 1; index++) {
    const code = text.charCodeAt(index)
    if (code >= 0xd800 && code < 0xdc00) {
      const next = text.charCodeAt(index + 1)
      if (next >= 0xdc00 && next < 0xe000) length--
    }
  }
  return length
}
