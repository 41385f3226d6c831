import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../support/temporary-folder.js'

const root = join(import.meta.dirname, '../../..')

test('one executable with Node in it serves with workers, is its own client, and stops in order', async () => {
  const folder = temporaryFolder()
  const executable = join(folder.path, 'orch')
  const words = [join(root, 'tools/single-file.mjs'), '--quick', '--try', '--output', executable]
  try {
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    child.stdout.on('data', chunk => (printed += chunk))
    child.stderr.on('data', chunk => (printed += chunk))
    const code = await new Promise(resolve => child.once('close', resolve))
    assert.is(code, 0, printed)
    assert.ok(existsSync(executable))
    assert.match(printed, /namespace\/town created/)
    assert.match(printed, /"signal":"SIGTERM","message":"stopped"/)
    assert.match(printed, /it serves, its client asks it, and it stops in order/)
  } finally {
    folder.remove()
  }
})

test.run()
