import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { compiledRoot } from '../../kernel/boot/load-module.js'
import { BootError, bootCodes, problem } from '../../kernel/contracts/boot-errors.js'

const codes = suite('boot codes')

codes('match those of the README', () => {
  const text = readFileSync(join(dirname(compiledRoot), 'kernel', 'boot', 'README.md'), 'utf8')
  const documented = [...text.matchAll(/^\| *(ORCH_\w+) *\|/gm)].map(match => match[1])
  assert.equal(documented, [...bootCodes])
})

codes('determine the exit code: 2 if the command line is wrong', () => {
  const plugin = problem('ORCH_PLUGIN_REGISTER_ASYNC', { plugin: 'x' })
  const flag = problem('ORCH_FLAG_UNKNOWN', { flag: '--x' })
  assert.is(new BootError([plugin]).exitCode, 1)
  assert.is(new BootError([plugin, flag]).exitCode, 2)
})

codes('keep the original error as cause', () => {
  const cause = new Error('deep')
  assert.is(new BootError([problem('ORCH_START_FAILED', { plugin: 'x', task: 't', why: 'w' }, cause)]).cause, cause)
})
codes.run()
