import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { judge, runProcess } from './run-test-file.js'

const judging = suite('judging a test file')
const block = (total: number, passed: number) => `\n  Total:     ${total}\n  Passed:    ${passed}\n  Skipped:   0\n`

judging('passes a file whose tests all passed', () => {
  const result = judge('a', block(3, 3), '')
  assert.equal([result.passed, result.failed, result.problems], [3, 0, []])
})

judging('fails a file with fewer passed than total, though it exits 0', () => {
  assert.equal(judge('a', block(3, 1), '').failed, 2)
})

judging('fails a file that ran no test', () => {
  assert.equal(judge('a', '', '').problems, ['ran no test'])
})

judging('fails a file whose process ended badly after its tests passed', () => {
  const result = judge('a', block(3, 3), 'ended with exit code 1')
  assert.equal([result.passed, result.failed], [3, 1])
})

judging('stops a process that takes too long, and says so', async () => {
  const { ending } = await runProcess(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], process.cwd(), 0.3)
  assert.is(ending, 'not finished after 0.3 s')
})

judging('ends a process that lingers after its tests passed, and says what it left open', async () => {
  const script = `console.log(${JSON.stringify(block(1, 1))} + '  Duration:  9ms'); setInterval(() => {}, 1000)`
  const words = ['--import', new URL('end-when-asked.js', import.meta.url).href, '-e', script]
  const { output, ending } = await runProcess(process.execPath, words, process.cwd(), 60, 0.3)
  const result = judge('a', output, ending)
  assert.equal([result.failed, result.problems], [0, []])
  // Of its outputs, Node 24 counts those only that were used.
  assert.match(result.leftOpen.join(), /^(PipeWrap, )+Timeout$/)
})

judging('keeps what a process wrote to both outputs', async () => {
  const script = 'console.log("one"); console.error("two"); process.exit(3)'
  const { output, ending } = await runProcess(process.execPath, ['-e', script], process.cwd(), 30)
  assert.match(output, 'one')
  assert.match(output, 'two')
  assert.is(ending, 'ended with exit code 3')
})

judging.run()
