import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { formatCheck } from '../../../libs/json-schema/index.js'

const formats = suite('formats of strings')

const samples: Readonly<Record<string, { readonly valid: readonly string[]; readonly invalid: readonly string[] }>> = {
  email: {
    valid: [
      'a@b',
      ' a.b@c.d ',
      'Ann <a@b.c>',
      '"Ann, Lee" <a@b.c>',
      'Ann. Lee. <a@b>',
      '"a b"@c',
      '<a@b>',
      'a@b (Ann (Lee))',
      'Ann (x) <a@b> (y)',
      'group: a@b;',
      'é@ü',
      'a@[1.2.3.4]',
    ],
    invalid: [
      '',
      'a',
      'a..b@c',
      '.a@b',
      'a@b.',
      'a@',
      '@b',
      'a@b@c',
      'a@b c',
      'Ann <a@b',
      'Ann a@b',
      '""@b',
      '"a@b',
      'a@b (Ann',
      'group: a@b, c@d;',
      'group:;',
      'group: a@b',
      'a@[b]',
      'a@b, c@d',
    ],
  },
  uri: {
    valid: [
      '*',
      '/a b',
      '/',
      '/#a',
      'http://h:99999/',
      'http://h',
      'http:',
      'mailto:a',
      'a+b.c-1:x',
      'http://u:p@h/%41?%',
      'http://[::1%25eth0]:80/',
      'http://h%C3%A9/',
      '//a',
    ],
    invalid: [
      '',
      'a',
      ':a',
      '1:a',
      'a b:c',
      '?a',
      '/%4',
      '/\n',
      'http://h:a/',
      'http://[::1/',
      'http://a b/',
      'http://u^@h/',
      'http://%41/',
      'http://h/%zz',
    ],
  },
  ipv4: { valid: ['1.2.3.4', '::ffff:1.2.3.4'], invalid: ['::1', '1.2.3', '1.2.3.256', ''] },
  ipv6: { valid: ['::1', '::ffff:1.2.3.4'], invalid: ['1.2.3.4', ''] },
}
for (const [format, { valid, invalid }] of Object.entries(samples))
  formats(`of ${format} accept what Kubernetes accepts`, () => {
    const isValid = formatCheck(format)!
    assert.equal(
      valid.filter(text => !isValid(text)),
      [],
    )
    assert.equal(
      invalid.filter(text => isValid(text)),
      [],
    )
  })

formats('take a time in proportion to the length of the text', () => {
  const long = 200_000
  const texts = ['a', 'a.', '"', '(', 'a ', ':', '%41', '[', 'a@b,', 'a:', '\\', '@'].flatMap(part => [
    part.repeat(long),
    `x: ${part.repeat(long)}`,
    `http://${part.repeat(long)}`,
  ])
  const startedAt = performance.now()
  for (const format of ['email', 'uri']) for (const text of texts) formatCheck(format)!(text)
  assert.ok(performance.now() - startedAt < 10_000)
})

formats.run()
