import { ApiError } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parseText } from './decode-body.js'

const decoding = suite('bodies that cannot be read')
const secret = 'swordfish'

/** Bodies that are broken in every way a parser has words for, with something secret where it breaks. */
const broken: Readonly<Record<'json' | 'yaml', readonly string[]>> = {
  json: [
    secret,
    `{"k":${secret}}`,
    `{"k":"${secret}`,
    `{"k":"${secret}" x}`,
    `{${secret}:1}`,
    `["${secret}\u0001"]`,
    `{"k":"\\x${secret}"}`,
    `{"${secret}":1,}`,
    `"${secret}" "${secret}"`,
  ],
  yaml: [
    `k: {a: ${secret}: x: [}`,
    `k: "${secret}`,
    `k: *${secret}`,
    `a: 1\n  ${secret}: 2\n ${secret}`,
    `k: !!${secret} {a: [}`,
    `- a\n${secret}: b`,
    `{"k": "${secret}" "${secret}"}`,
    `@${secret}`,
  ],
}
for (const [format, bodies] of Object.entries(broken))
  decoding(`${format}: a 400 says where it is broken, and never quotes the body`, () => {
    for (const body of bodies) {
      try {
        parseText(format as 'json' | 'yaml', Buffer.from(body))
        assert.unreachable(body)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        assert.is(error.code, 400)
        assert.not.match(error.message, secret)
        assert.not.match(error.message, secret.slice(0, 4))
      }
    }
  })

const yaml = (text: string): unknown => parseText('yaml', Buffer.from(text))

decoding(
  'YAML is read as manifests are written: file modes in octal, yes and no, merged mappings, times as text',
  () => {
    assert.equal(yaml('mode: 0644\nnew: 0o600\non: yes\noff: NO\nhex: 0x1f\nbig: 1_000'), {
      mode: 420,
      new: 384,
      true: true,
      false: false,
      hex: 31,
      big: 1000,
    })
    assert.equal(yaml('day: 2020-01-01\nat: 2020-01-01T00:00:00Z\nclock: 12:30\nquoted: "0644"'), {
      day: '2020-01-01',
      at: '2020-01-01T00:00:00Z',
      clock: '12:30',
      quoted: '0644',
    })
    assert.equal(yaml('base: &base\n  a: "1"\nmore:\n  <<: *base\n  b: "2"'), {
      base: { a: '1' },
      more: { a: '1', b: '2' },
    })
  },
)

decoding('a body is one YAML document; markers around it do not count, a second document is refused', () => {
  assert.equal(yaml('---\na: 1\n---\n'), { a: 1 })
  assert.equal(yaml('a: 1\n...\n'), { a: 1 })
  assert.throws(() => yaml('a: 1\n---\nb: 2\n'), /more than one document/)
})

decoding('YAML that nests beyond reason is refused before anything is built of it', () => {
  const deep = ['['.repeat(20_000), '{a: '.repeat(10_000), `${'- '.repeat(10_000)}x`, `${'? '.repeat(10_000)}x`]
  for (const text of deep) assert.throws(() => yaml(text), /nests deeper than/)
  assert.equal(yaml(`a: ${'['.repeat(200)}${']'.repeat(200)}`), {
    a: JSON.parse('['.repeat(200) + ']'.repeat(200)),
  })
})

decoding.run()
