import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isJsonPath } from './json-path-syntax.js'
import { validateStatus } from './validation.js'

const status = suite('the status of a policy')

const paths: Readonly<Record<string, boolean>> = {
  'spec.validations[0].expression': true,
  'spec.variables[*]': true,
  '.spec': true,
  '$.spec..expression': true,
  "metadata.annotations['a']": true,
  'a.b\\.c/d': true,
  'items[?(@.type=="Ready")].status': true,
  "items[1:2, 'a']": true,
  'spec.validations[0': false,
  'spec.validations[x]': false,
  'spec.validations[?(@.a==]': false,
  'spec.....a': false,
  'spec]': false,
  '(spec)': false,
  '"spec': false,
}
for (const [path, isRight] of Object.entries(paths))
  status(`${path} is ${isRight ? 'a' : 'no'} path`, () => assert.is(isJsonPath(path), isRight))

const at = 'status.typeChecking.expressionWarnings[0]'
const warnings: Record<string, [fieldRef: string, warning: string, errors: string[]]> = {
  'a path and a text are right': ['spec.validations[0].expression', 'wrong type', []],
  'a text may be blank': ['spec.validations[0].expression', ' ', []],
  'both are required': ['', '', [`${at}.warning: FieldValueRequired`, `${at}.fieldRef: FieldValueRequired`]],
  'a blank path is none': [' ', 'wrong type', [`${at}.fieldRef: FieldValueRequired`]],
  'a path has a syntax': ['spec[', 'wrong type', [`${at}.fieldRef: FieldValueInvalid`]],
}
for (const [title, [fieldRef, warning, errors]] of Object.entries(warnings))
  status(`${title} in a warning`, () => {
    const found = validateStatus({ typeChecking: { expressionWarnings: [{ fieldRef, warning }] } })
    assert.equal(
      found.map(({ field, type }) => `${field}: ${type}`),
      errors,
    )
  })
status.run()
