import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ApiError } from '../resource/api-errors.js'
import { fieldMatcher, parseFieldSelector } from './field-selectors.js'
import { parseLabelSelector } from './label-selector-text.js'
import { labelMatcher, labelSelectorMatcher, type Requirement, validateLabelSelector } from './selectors.js'

const selects = (selector: string, labels: Record<string, string>) => labelMatcher(parseLabelSelector(selector))(labels)
function refusal(parse: () => unknown): string {
  try {
    parse()
  } catch (error) {
    assert.instance(error, ApiError)
    assert.is((error as ApiError).code, 400)
    return (error as ApiError).message
  }
  return ''
}

const labelText = suite('label selectors')

const matching: [string, Record<string, string>, boolean][] = [
  ['', { a: 'b' }, true],
  ['a=b', { a: 'b' }, true],
  ['a == b', { a: 'b' }, true],
  ['a=b', { a: 'c' }, false],
  ['a=b', {}, false],
  ['a!=b', {}, true],
  ['a!=b', { a: 'b' }, false],
  ['a in (x, y)', { a: 'y' }, true],
  ['a in (x,y)', { a: 'z' }, false],
  ['a notin (x)', {}, true],
  ['a notin (x)', { a: 'x' }, false],
  ['a in ()', { a: '' }, true],
  ['a in (,x)', { a: '' }, true],
  ['a in (x,)', { a: '' }, true],
  ['a in (x,,y)', { a: '' }, true],
  ['a=', { a: '' }, true],
  ['a=,b', { a: '', b: 'c' }, true],
  ['a', { a: '' }, true],
  ['!a', {}, true],
  ['! a', { a: '' }, false],
  ['a>5', { a: '10' }, true],
  ['a>5', { a: '5' }, false],
  ['a<5', { a: '-0' }, true],
  ['a<5', { a: 'few' }, false],
  ['a>9223372036854775806', { a: '9223372036854775807' }, true],
  ['in', { in: '1' }, true],
  ['a in (in,notin)', { a: 'notin' }, true],
  ['example.com/a=b,c', { 'example.com/a': 'b', c: '' }, true],
  ['toString', {}, false],
]
for (const [selector, labels, expected] of matching)
  labelText(`'${selector}' ${expected ? 'selects' : 'does not select'} ${JSON.stringify(labels)}`, () => {
    assert.is(selects(selector, labels), expected)
  })

const refused: Record<string, string> = {
  ',a': "found ',', expected: !, identifier, or 'end of string'",
  'a,': "found '', expected: identifier after ','",
  'a b': "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
  '!a=b': "found '=', expected: ',' or 'end of string'",
  'a==(x)': "unable to parse requirement: found '(', expected: identifier",
  'a in x': "unable to parse requirement: found 'x' expected: '('",
  'a in (x': "unable to parse requirement: found '', expected: ',' or ')'",
  'a in (x,': "unable to parse requirement: found '', expected: ',', or identifier",
  'a in (=': "unable to parse requirement: found '=', expected: ',', ')' or identifier",
  '!': "unable to parse requirement: found '', expected: identifier",
  'a>x': `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
}
for (const [selector, message] of Object.entries(refused))
  labelText(`refuses '${selector}'`, () => {
    assert.is(
      refusal(() => parseLabelSelector(selector)),
      message,
    )
  })

labelText('checks keys and values as labels are checked', () => {
  assert.match(
    refusal(() => parseLabelSelector('a/b/c=d')),
    /^unable to parse requirement: <nil>: Invalid value: "a\/b\/c": a qualified name must/,
  )
  assert.match(
    refusal(() => parseLabelSelector('a=-b')),
    /^unable to parse requirement: values\[0\]\[a\]: Invalid value: "-b": a valid label/,
  )
  assert.match(
    refusal(() => parseLabelSelector(`a=${'x'.repeat(64)}`)),
    /must be no more than 63 characters/,
  )
})

labelText('returns sorted requirements that a store can compile', () => {
  assert.equal(parseLabelSelector('b notin (y,x,y),!c,a=1'), [
    { key: 'a', operator: 'In', values: ['1'] },
    { key: 'b', operator: 'NotIn', values: ['x', 'y'] },
    { key: 'c', operator: 'DoesNotExist', values: [] },
  ])
})

const word = fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,5}[a-z0-9])?$/)
const requirement = fc.oneof(
  fc
    .tuple(word, fc.constantFrom('In' as const, 'NotIn' as const), fc.uniqueArray(word, { minLength: 1, maxLength: 3 }))
    .map(([key, operator, values]) => ({ key, operator, values: values.sort() })),
  fc
    .tuple(word, fc.constantFrom('Exists' as const, 'DoesNotExist' as const))
    .map(([key, operator]) => ({ key, operator, values: [] as string[] })),
)
/** A selector as text, such as `a=b,c in (d,e),!f`. Parsing it gives the same requirements. */
function formatLabelSelector(requirements: readonly Requirement[]): string {
  return requirements.map(formatRequirement).join(',')
}
function formatRequirement({ key, operator, values }: Requirement): string {
  const list = `(${[...values].sort().join(',')})`
  switch (operator) {
    case 'In':
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in ${list}`
    case 'NotIn':
      return values.length === 1 ? `${key}!=${values[0]}` : `${key} notin ${list}`
    case 'Exists':
      return key
    case 'DoesNotExist':
      return `!${key}`
    case 'Gt':
      return `${key}>${values[0] ?? ''}`
    case 'Lt':
      return `${key}<${values[0] ?? ''}`
  }
}

labelText('printing and parsing again changes nothing', () => {
  fc.assert(
    fc.property(fc.uniqueArray(requirement, { selector: one => one.key, maxLength: 4 }), requirements => {
      const sorted = [...requirements].sort((a, b) => (a.key < b.key ? -1 : 1))
      assert.equal(parseLabelSelector(formatLabelSelector(sorted)), sorted)
    }),
  )
})
labelText('the parser fails only with a 400, whatever the text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', '/', '=', '!', '(', ')', ',', '<', ' ', 'in ', '\0') }),
      text => {
        refusal(() => parseLabelSelector(text))
      },
    ),
  )
})
labelText.run()

const objects = suite('LabelSelector objects')
objects('no selector selects nothing and an empty one everything', () => {
  assert.is(labelSelectorMatcher(undefined)({ a: 'b' }), false)
  assert.is(labelSelectorMatcher({})(undefined), true)
})
objects('labels and expressions must all hold', () => {
  const matches = labelSelectorMatcher({
    matchLabels: { a: 'b' },
    matchExpressions: [
      { key: 'c', operator: 'Exists' },
      { key: 'd', operator: 'NotIn', values: ['e'] },
    ],
  })
  assert.is(matches({ a: 'b', c: '' }), true)
  assert.is(matches({ a: 'b' }), false)
  assert.is(matches({ a: 'b', c: '', d: 'e' }), false)
})
objects('an unknown operator is rejected', () => {
  const message = refusal(() => labelSelectorMatcher({ matchExpressions: [{ key: 'a', operator: 'Near' }] }))
  assert.is(message, '"Near" is not a valid label selector operator')
})
objects('validation reports all invalid fields together', () => {
  const errors = validateLabelSelector(
    {
      matchLabels: { 'a b': '-' },
      matchExpressions: [
        { key: 'a', operator: 'In' },
        { key: 'a', operator: 'Exists', values: ['b'] },
        { key: '', operator: 'Near' },
      ],
    },
    'spec.selector',
  )
  assert.equal(
    errors.map(error => [error.field, error.type]),
    [
      ['spec.selector.matchLabels', 'FieldValueInvalid'],
      ['spec.selector.matchLabels', 'FieldValueInvalid'],
      ['spec.selector.matchExpressions[0].values', 'FieldValueRequired'],
      ['spec.selector.matchExpressions[1].values', 'FieldValueForbidden'],
      ['spec.selector.matchExpressions[2].operator', 'FieldValueInvalid'],
      ['spec.selector.matchExpressions[2].key', 'FieldValueInvalid'],
      ['spec.selector.matchExpressions[2].key', 'FieldValueInvalid'],
    ],
  )
})
objects.run()

const fields = suite('field selectors')
fields('all conditions must hold', () => {
  const matches = fieldMatcher(parseFieldSelector('spec.node=one,,status.phase!=Done,metadata.name==x'))
  const object = (values: Record<string, string>) => (field: string) => values[field] ?? ''
  assert.is(matches(object({ 'spec.node': 'one', 'metadata.name': 'x' })), true)
  assert.is(matches(object({ 'spec.node': 'one', 'metadata.name': 'x', 'status.phase': 'Done' })), false)
})
fields('backslashes escape commas, equal signs and themselves', () => {
  assert.equal(parseFieldSelector('=,!=,==,a='), [{ field: 'a', operator: '=', value: '' }])
  assert.equal(parseFieldSelector('a=x\\,y\\=z\\\\'), [{ field: 'a', operator: '=', value: 'x,y=z\\' }])
})
const badFields: Record<string, string> = {
  a: "invalid selector: 'a'; can't understand 'a'",
  'a=b\\c': 'invalid field selector: invalid escape sequence: \\c',
  'a=b\\': 'invalid field selector: invalid escape sequence: \\',
  'a=b=c': 'invalid field selector: unescaped character in value: 61',
}
for (const [selector, message] of Object.entries(badFields))
  fields(`refuses '${selector}'`, () => {
    assert.is(
      refusal(() => parseFieldSelector(selector)),
      message,
    )
  })
fields('printing and parsing again changes no value', () => {
  fc.assert(
    fc.property(fc.string(), value => {
      const one = [{ field: 'a', operator: '=' as const, value }]
      assert.equal(parseFieldSelector(`a=${value.replace(/[\\,=]/g, '\\$&')}`), one)
    }),
  )
})
fields.run()
