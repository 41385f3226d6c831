import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { invalid } from './api-errors.js'
import { invalidValue, requiredValue } from './field-errors.js'

const kind = { group: '', kind: 'Thing' }
const errors = suite('errors of fields')

errors('are all reported, with the value and the reason', () => {
  const { message, details } = invalid(kind, 'a', [
    requiredValue('spec.size'),
    invalidValue('spec.color', 'x', 'no color'),
  ])
  const about = 'spec.size: Required value, spec.color: Invalid value: "x": no color'
  assert.is(message, `Thing "a" is invalid: [${about}]`)
  assert.is(details?.causes?.length, 2)
})

errors('that say the same are said once', () => {
  const twice = [requiredValue('spec.size'), requiredValue('spec.size')]
  const { message, details } = invalid(kind, 'a', twice)
  assert.is(message, 'Thing "a" is invalid: spec.size: Required value')
  assert.is(details?.causes?.length, 2)
})

errors('fit into a response, however many there are and however large their values', () => {
  const list = Array.from({ length: 8000 }, (_, i) => ({ name: `owner-${i}`, controller: true }))
  const { message, details } = invalid(
    kind,
    'a',
    list.map(() => invalidValue('list', list, 'only one')),
  )
  assert.ok(message.length < 5_000_000)
  assert.match(details?.causes?.[0]?.message ?? '', /^Invalid value: \[\{"name":"owner-0",.*…: only one$/)
})

errors.run()
