import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Folder, temporaryFolder } from '../support/temporary-folder.js'

const root = join(import.meta.dirname, '../../..')

/** It cannot start Node with the permission model, so it must reject such a plugin. */
async function refusesIsolated(executable: string, folder: Folder): Promise<void> {
  folder.write('guard.mjs', "console.log('it ran')\nexport default { definition: { name: 'guard', register() {} } }\n")
  folder.write('orch.config.mjs', "export default { plugins: [{ plugin: './guard.mjs', isolation: 'worker' }] }\n")
  const words = ['plugins', '--config', join(folder.path, 'orch.config.mjs')]
  const { status, stdout, stderr } = spawnSync(executable, words, {
    cwd: folder.path,
    env: { HOME: folder.path },
    encoding: 'utf8',
  })
  assert.equal([status, stdout], [1, ''])
  assert.match(stderr, /"\.\/guard\.mjs" .*Install the package with npm.*ORCH_PLUGIN_ISOLATION_UNAVAILABLE/)
}

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
    assert.match(printed, /the server responds to the client and stops cleanly/)
    await refusesIsolated(executable, folder)
  } finally {
    folder.remove()
  }
})

test.run()
