import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { validateUserAnnotations } from './user-annotations.js'

const annotations = suite('annotations of users')
const wrongIn = (given: Record<string, string>) =>
  validateUserAnnotations(given, 'spec.given').map(({ field, type }) => `${field} ${type.slice(10)}`)

annotations('have keys with the prefix of a domain', () => {
  assert.equal(wrongIn({ 'acme.io/Team': 'a', 'ACME.io/x': 'b' }), [])
  assert.equal(wrongIn({ team: 'a', '': 'b', 'acme.io/': 'c' }), [
    'spec.given Invalid',
    'spec.given Required',
    'spec.given Invalid',
    'spec.given Invalid',
  ])
})
annotations('have the size of annotations at most', () => {
  assert.equal(wrongIn({ 'acme.io/x': 'x'.repeat(256 * 1024) }), ['spec.given TooLong'])
})

annotations.run()
