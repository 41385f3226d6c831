import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadedLine, readBatchOutput } from './batch-output.js'

const reading = suite('reading the output of a batch')
const paths = ['/a.test.js', '/b.test.js', '/c.test.js']
const loaded = paths.map(path => `${loadedLine(path)}\n`).join('')
const ran = (path: string, counts: string, more = '') => `\n${path}\n a suite  • •   (${counts})\n${more}`
const closing = '\n  Total:     6\n  Passed:    6\n'

reading('counts the tests of files that passed', () => {
  const output = `${loaded}${ran('/a.test.js', '2 / 2')}${ran('/b.test.js', '3 / 3')}${ran('/c.test.js', '1 / 1')}${closing}`
  assert.equal(readBatchOutput(output, paths), { passed: paths, unclear: [], tests: 6, otherOutput: '' })
})

reading('tells the file of which a test failed from the others', () => {
  const failure = '\n   FAIL  "a test"\n'
  const output = `${loaded}${ran('/a.test.js', '2 / 2')}${ran('/b.test.js', '2 / 3', failure)}${ran('/c.test.js', '1 / 1')}${closing}`
  const { otherOutput, ...found } = readBatchOutput(output, paths)
  assert.equal(found, { passed: ['/a.test.js', '/c.test.js'], unclear: ['/b.test.js'], tests: 3 })
  assert.match(otherOutput, 'FAIL  "a test"')
})

reading('takes nothing for passed that broke off or was never reached', () => {
  const output = `${loaded}${ran('/a.test.js', '2 / 2')}\n/b.test.js\n a suite  • `
  assert.equal(readBatchOutput(output, paths).unclear, ['/b.test.js', '/c.test.js'])
  assert.equal(readBatchOutput(`${loadedLine('/a.test.js')}\nError`, paths).passed, [])
})

reading('leaves a file that cannot run here to a process of its own, when it says so while it is loaded, too', () => {
  const output = `${loadedLine('/a.test.js')}\nSKIP no etcd\n${loadedLine('/b.test.js')}\n${loadedLine('/c.test.js')}\n`
  const runs = `${ran('/a.test.js', '2 / 2')}${ran('/b.test.js', '0 / 0')}${ran('/c.test.js', '1 / 1', 'SKIP no shell\n')}${closing}`
  const { otherOutput, ...found } = readBatchOutput(output + runs, paths)
  assert.equal(found, { passed: ['/a.test.js'], unclear: ['/b.test.js', '/c.test.js'], tests: 2 })
  assert.match(otherOutput, 'SKIP no shell')
})

reading.run()
