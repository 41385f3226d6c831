import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pemBlocks, toPem } from './pem-blocks.js'

const pem = suite('PEM blocks')
const block = (label: string, ...lines: string[]) => [
  `-----BEGIN ${label}-----`,
  ...lines,
  `-----END ${label}-----`,
  '',
]
const text = (...parts: string[][]) => parts.flat().join('\n')
const found = (source: string) => pemBlocks(source).map(({ label, bytes }) => `${label}:${bytes.toString('hex')}`)

pem('finds every block, in order', () => {
  assert.equal(found(text(block('A', 'AAAA'), block('B', '/w=='))), ['A:000000', 'B:ff'])
})
pem('ignores text before, between and after blocks', () => {
  const source = text(['Subject: CN=a', ''], block('A', 'AAAA'), ['between: them'], block('A', 'AQ=='), ['after'])
  assert.equal(found(source), ['A:000000', 'A:01'])
})
pem('reads CRLF line ends, spaces in the data, and a missing last line end', () => {
  assert.equal(found('-----BEGIN A-----\r\nAA AA\t\r\n-----END A-----'), ['A:000000'])
})
pem('notices header lines', () => {
  assert.is(pemBlocks(text(block('A', 'Proc-Type: 4,ENCRYPTED', '', 'AAAA')))[0]?.hasHeaders, true)
  assert.is(pemBlocks(text(block('A', 'AAAA')))[0]?.hasHeaders, false)
})

const noBlocks = {
  'without an end': '-----BEGIN A-----\nAAAA\n',
  'with another label at its end': '-----BEGIN A-----\nAAAA\n-----END B-----\n',
  'with data that is not base64': '-----BEGIN A-----\nAA-A\n-----END A-----\n',
  'with data that breaks off': '-----BEGIN A-----\nAAA\n-----END A-----\n',
  'with data after its padding': '-----BEGIN A-----\nAA==AAAA\n-----END A-----\n',
  'in the middle of a line': 'x -----BEGIN A-----\nAAAA\n-----END A-----\n',
  'with an end that goes on': '-----BEGIN A-----\nAAAA\n-----END A-----x\n',
  empty: '',
}
for (const [title, source] of Object.entries(noBlocks))
  pem(`does not recognize a block ${title}`, () => {
    assert.equal(pemBlocks(source), [])
    assert.equal(found(`${source}\n${text(block('B', 'AAAA'))}`), ['B:000000'], 'and finds the next one')
  })

pem('reads back what it wrote', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.stringMatching(/^[A-Z ]{0,20}$/), (bytes, label) => {
      const [read, ...more] = pemBlocks(`x\n${toPem(label, bytes)}y`)
      return more.length === 0 && read?.label === label && read.bytes.equals(bytes)
    }),
  )
})
pem('takes linear time', () => {
  // With quadratic time, the test would run into its timeout.
  assert.equal(pemBlocks('-----BEGIN A-----\n'.repeat(1_000_000)), [])
})
pem.run()
