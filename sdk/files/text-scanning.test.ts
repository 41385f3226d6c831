import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { pemBlocks, withoutTrailing } from './text-scanning.js'

const scanning = suite('scanning text')

scanning('removes trailing characters', () => {
  assert.is(withoutTrailing('/a//b///', '/'), '/a//b')
  assert.is(withoutTrailing('///', '/'), '')
  assert.is(withoutTrailing('', '/'), '')
})

const block = (label: string, content = 'AAAA') => `-----BEGIN ${label}-----\n${content}\n-----END ${label}-----`

scanning('PEM blocks are returned in order, without the text between them', () => {
  const found = pemBlocks(`words\n${block('CERTIFICATE')}\nmore ${block('EC PRIVATE KEY', 'BBBB')}\n`)
  assert.equal(found, [
    { label: 'CERTIFICATE', text: block('CERTIFICATE') },
    { label: 'EC PRIVATE KEY', text: block('EC PRIVATE KEY', 'BBBB') },
  ])
})

scanning('a block without its end, or with another end, is skipped', () => {
  assert.equal(pemBlocks('-----BEGIN CERTIFICATE-----\nAAAA'), [])
  assert.equal(pemBlocks('-----BEGIN lower case-----\nAAAA\n-----END lower case-----'), [])
  assert.equal(
    pemBlocks(`-----BEGIN A-----\nx\n-----END B-----\n${block('C')}`).map(({ label }) => label),
    ['C'],
  )
})

scanning('megabytes of BEGIN lines are scanned once', () => {
  const cpu = process.cpuUsage()
  assert.equal(pemBlocks('-----BEGIN A-----'.repeat(200_000)), [])
  assert.equal(pemBlocks(`${'-----BEGIN A-----'.repeat(200_000)}-----END B-----`), [])
  assert.equal(pemBlocks(`${'-----BEGIN '.repeat(300_000)}-----END B-----`), [])
  assert.ok(process.cpuUsage(cpu).user < 1_000_000, 'took more than a second')
})

scanning.run()
