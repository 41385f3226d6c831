import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { domainOfSigner, isSignerOf, validateSignerName } from './signer-names.js'

const names = suite('signer names')
const causes = (name: string) =>
  validateSignerName(name, 'spec.signerName').map(({ type }) => type.slice('FieldValue'.length))
const cases: Record<string, string[]> = {
  'example.com/x': [],
  'example.com/x.y-z': [],
  'a.b.c.example.com/x': [],
  [`example.com/${'x'.repeat(253)}`]: [],
  '': ['Required'],
  nodomain: ['Invalid'],
  'a/b': ['Invalid'],
  'example.com/': ['Invalid'],
  '/x': ['Invalid', 'Invalid'],
  '/': ['Invalid', 'Invalid', 'Invalid'],
  'example.com/x/y': ['Invalid'],
  'Example.com/x': ['Invalid'],
  'example.com/UPPER': ['Invalid'],
  'a b.com/x': ['Invalid'],
  '*.example.com/x': ['Invalid'],
  'example.com/*': ['Invalid'],
  'example..com/x': ['Invalid'],
  'UPPER.BOTH/X': ['Invalid', 'Invalid'],
  [`${'x'.repeat(64)}.com/x`]: ['Invalid'],
  [`${'x.'.repeat(127)}com/x`]: ['TooLong'],
  [`example.com/${'x'.repeat(254)}`]: ['Invalid'],
  [`example.com/${'x'.repeat(600)}`]: ['Invalid', 'TooLong'],
  [`example.com/${'x.'.repeat(300)}x`]: ['TooLong'],
}
for (const [name, expected] of Object.entries(cases))
  names(
    `${name.length > 60 ? `${name.slice(0, 30)}… of ${name.length}` : `"${name}"`}: ${expected.join(', ') || 'valid'}`,
    () => assert.equal(causes(name), expected),
  )
names('the domain is the part before the slash', () => assert.is(domainOfSigner('example.com/x'), 'example.com'))
names('tell whose signer it is', () => {
  const mine = ['acme.io/client', 'certs.acme.io/client'].map(name => isSignerOf('acme.io', name))
  assert.equal(mine, [true, true])
  assert.not(isSignerOf('acme.io', 'notacme.io/client'))
})
names.run()
