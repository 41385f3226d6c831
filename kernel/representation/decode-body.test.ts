import { ApiError } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rejects } from '../../test/support/rejects.js'
import { mediaTypeOf, parseBody } from './decode-body.js'
import { YamlBodies } from './yaml-bodies.js'

const decoding = suite('bodies that cannot be read')
const bodies = new YamlBodies({ maxNodes: 100_000, maxCharacters: 100_000, timeoutMs: 10_000 })
const parseText = (format: 'json' | 'yaml', text: string): unknown =>
  (parseBody(bodies, format, Buffer.from(text)) as { value: unknown }).value
const secret = 'swordfish'

/** Bodies that are broken in every way a parser distinguishes, with a secret at the position of the error. */
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
for (const [format, texts] of Object.entries(broken))
  decoding(`${format}: a 400 names the position of the error, and never quotes the body`, () => {
    for (const body of texts) {
      try {
        parseText(format as 'json' | 'yaml', body)
        assert.unreachable(body)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        assert.is(error.code, 400)
        assert.not.match(error.message, secret)
        assert.not.match(error.message, secret.slice(0, 4))
      }
    }
  })

const yaml = (text: string): unknown => parseText('yaml', text)

decoding(
  'YAML is read the way manifests are written: file modes in octal, yes and no, merged mappings, times as text',
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

decoding('a body is one YAML document; markers around it are ignored, a second document is rejected', () => {
  assert.equal(yaml('---\na: 1\n---\n'), { a: 1 })
  assert.equal(yaml('a: 1\n...\n'), { a: 1 })
  assert.throws(() => yaml('a: 1\n---\nb: 2\n'), /more than one document/)
})

decoding('YAML that nests too deeply is rejected before it is parsed', async () => {
  const deep = ['['.repeat(20_000), '{a: '.repeat(11_000), `${'- '.repeat(11_000)}x`, `${'? '.repeat(11_000)}x`]
  for (const text of deep) {
    await rejects(async () => parseBody(bodies, 'yaml', Buffer.from(text)), /nests deeper than/)
  }
  assert.equal(yaml(`a: ${'['.repeat(200)}${']'.repeat(200)}`), {
    a: JSON.parse('['.repeat(200) + ']'.repeat(200)),
  })
})

decoding('YAML numbers are numbers, and text that only starts like one is text', () => {
  assert.equal(yaml('a: 1.5\nb: -.5\nc: 1e3\nd: 1_0.5\ne: 1.\nf: +2.5e-1'), {
    a: 1.5,
    b: -0.5,
    c: 1000,
    d: 10.5,
    e: 1,
    f: 0.25,
  })
  assert.equal(yaml('a: e5\nb: .\nc: -.\nd: .e1\ne: 1.2.3\nf: ._1'), {
    a: 'e5',
    b: '.',
    c: '-.',
    d: '.e1',
    e: '1.2.3',
    f: '._1',
  })
  for (const text of ['1e400', '-1e400', '1e-999999999', '.inf', '-.Inf', '.nan'])
    assert.throws(() => yaml(`a: ${text}`), /couldn't parse the request body as YAML/, text)
})

decoding('a Content-Type is a media type and parameters, or nothing', () => {
  const types: Record<string, string | undefined> = {
    '': undefined,
    'application/json': 'application/json',
    ' Application/JSON ; charset=utf-8': 'application/json',
    'application/json; charset="utf-8";': 'application/json',
    ';': 'none',
    ' ; charset=utf-8': 'none',
    'application/json;;': 'none',
    'application/json; charset': 'none',
    'application/json; =utf-8': 'none',
  }
  for (const [header, type] of Object.entries(types)) assert.is(mediaTypeOf(header), type, header)
})

decoding('JSON may nest as deep as in the reference, and no deeper, whatever its strings contain', () => {
  const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
  for (const format of ['json', 'yaml'] as const) {
    assert.throws(() => parseText(format, nested(10_001)), /nests deeper than 10000 levels/)
    assert.throws(() => parseText(format, `{"a":${'['.repeat(100_000)}`), /nests deeper than 10000 levels/)
    assert.ok(parseText(format, nested(10_000)))
    const text = JSON.stringify({ a: '[{'.repeat(20_000), b: `${'\\'.repeat(9)}"${'['.repeat(20_000)}`, c: '\\' })
    assert.equal(parseText(format, text), JSON.parse(text))
  }
})

decoding('checking the depth is fast: 3 MB of strings, quotes and brackets', () => {
  const lists = `[${'"",'.repeat(10_000)}""],`.repeat(10)
  const bodies = [
    `["${'\\"'.repeat(1_500_000)}"]`,
    `["${'\\\\'.repeat(750_000)}"]`,
    `[${lists}"${' '.repeat(2_500_000)}"]`,
  ]
  for (const body of bodies) {
    const startedAt = performance.now()
    parseText('json', body)
    const ms = performance.now() - startedAt
    assert.ok(ms < 1000, `${body.slice(0, 10)} takes ${ms} ms`)
  }
})

const repeated = (count: number, item: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => item(at)).join()
const oversized: Readonly<Record<string, (items: number) => string>> = {
  'a list': items => `{"a":[${repeated(items, () => '{}')}]}`,
  'a map': items => `{"a":{${repeated(items, at => `"k${at}":1`)}}}`,
  'one key, again and again': items => `{"a":{${repeated(items, () => '"k":1')}}}`,
  'lists in a list': items => `{"a":[${repeated(items / 1000, () => `[${repeated(12_100, () => '1')}]`)}]}`,
}
for (const [what, textOf] of Object.entries(oversized))
  decoding(`${what} with more items than an object may have is rejected before it is parsed`, () => {
    // Truncated at its end: a parser would fail.
    for (const format of ['json', 'yaml'] as const)
      assert.throws(
        () => parseText(format, `${textOf(200_001)}!`),
        (error: ApiError) => error.code === 413,
      )
  })
decoding('as many items as an object may have are read, and the limit is configurable', () => {
  const text = oversized['a list']!(200_000)
  assert.equal(parseText('json', text), JSON.parse(text))
  assert.ok(parseBody(bodies, 'json', Buffer.from(oversized['a list']!(200_001)), { maxItems: 200_001 }))
})

decoding.run()
