import { withoutVersion } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeLine, encodeRecord } from './export-format.js'

const format = suite('the format of an export')

const bodies: Record<string, string> = {
  'numbers and orders that JSON.parse would change':
    '{"metadata":{"name":"a"},"data":{"2":1.0,"1":12345678901234567890}}',
  'text that looks like the mark of a body':
    '{"metadata":{"name":"a"},"data":{"x":",\\"body\\":{"},"y":{"body":1,"body":2}}',
  'characters of many bytes': '{"metadata":{"name":"é\u{1F600}"}}',
  'empty metadata': '{"metadata":{}}',
}
for (const [what, text] of Object.entries(bodies)) {
  format(`keeps ${what}`, () => {
    const record = { key: '/a,"body":{', modRevision: 7, attributes: Buffer.from([0, 1, 255]), body: Buffer.from(text) }
    const line = encodeRecord(record)
    assert.is(line.indexOf('\n'), line.length - 1)
    const read = decodeLine(line.subarray(0, -1))
    assert.equal(read, record)
  })
}

format('replaces line breaks in a body by spaces', () => {
  const body = Buffer.from('{"metadata":{"name":"a"},\n"data":\n{}}')
  const line = encodeRecord({ key: '/a', modRevision: 1, attributes: Buffer.alloc(0), body })
  assert.is(line.toString().trimEnd().split('\n').length, 1)
})

format('removes the version from a body', () => {
  const shown = Buffer.from('{"metadata":{"resourceVersion":"12","name":"a"}}')
  assert.equal(withoutVersion(shown), { modRevision: 12, body: Buffer.from('{"metadata":{"name":"a"}}') })
  const bare = Buffer.from('{"metadata":{"resourceVersion":"3"}}')
  assert.equal(withoutVersion(bare), { modRevision: 3, body: Buffer.from('{"metadata":{}}') })
  assert.throws(() => withoutVersion(Buffer.from('{"metadata":{}}')), /no version/)
})

format.run()
