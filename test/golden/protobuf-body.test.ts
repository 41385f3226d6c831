import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readProtobufBody } from './protobuf-body.js'

const reading = suite('reading a Protobuf answer')
const field = (number: number, content: Buffer | string) => {
  const bytes = Buffer.from(content)
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes])
}
const envelope = (raw: Buffer) =>
  Buffer.concat([Buffer.from('k8s\0'), field(1, Buffer.concat([field(1, 'v1'), field(2, 'Thing')])), field(2, raw)])
const raw = Buffer.concat([
  field(1, field(1, 'name')),
  Buffer.from([2 << 3, 0]),
  Buffer.from([3 << 3, 5]),
  field(4, ''),
])

reading('lists fields by number and omits empty ones', () => {
  const like = {
    raw: {
      pb: [
        [1, { pb: [[1, 'name']] }],
        [3, 5],
      ],
    },
  }
  assert.equal(readProtobufBody(envelope(raw), like), {
    typeMeta: { apiVersion: 'v1', kind: 'Thing' },
    raw: {
      pb: [
        [1, { pb: [[1, 'name']] }],
        [3, 5],
      ],
    },
  })
})

reading('treats a field as text if the expectation does', () => {
  const like = { raw: { pb: [[1, '\n\u0004name']] } }
  assert.equal(readProtobufBody(envelope(raw), like)['raw'], {
    pb: [
      [1, '\n\u0004name'],
      [3, 5],
    ],
  })
})

reading('reports a missing envelope', () => {
  assert.equal(readProtobufBody(Buffer.from('{}..'), undefined), { notEnvelope: '7b7d2e2e' })
})

reading.run()
