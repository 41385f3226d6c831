import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { programFor } from '../support/orch-program.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { adminGet } from './admin-get.js'

const program = programFor([])
const watching = suite('orch serve --watch')

const pluginSource = (resource: string) => `
import { definePlugin, field, Kind, Text } from 'orch/sdk'
export default definePlugin({
  name: 'toys',
  register(to) {
    to.resource({
      group: 'toys.test', kind: 'Toy', resource: '${resource}', namespaced: false,
      versions: [{ name: 'v1', schema: Kind('toys.v1.Toy', { color: field(2, Text()) }) }],
    })
  },
})`

function freePort(): Promise<number> {
  return new Promise(done => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => done(port))
    })
  })
}

watching('serves the saved sources, and the previous ones while the new ones cannot be loaded', async () => {
  const folder = temporaryFolder()
  folder.write('package.json', '{"type":"module"}')
  folder.write('toys.ts', pluginSource('toys'))
  const others = ['namespaces', 'configuration', 'authentication', 'authorization'].map(
    name => `'orch/plugins/${name}'`,
  )
  folder.write('orch.config.ts', `export default { plugins: [${others}, './toys.ts'] }`)
  const port = await freePort()
  const flags = ['--secure-port', String(port), '--data-dir', join(folder.path, 'data')]
  const child = spawn(process.execPath, [program, 'serve', '--watch', ...flags], { cwd: folder.path })
  const exited = new Promise(done => child.once('exit', done))
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (output += chunk))
  const serves = async (resource: string) => {
    const config = join(folder.path, 'data/admin.conf')
    if (!existsSync(config)) return false
    const answer = await adminGet(config, '/apis/toys.test/v1').catch(() => undefined)
    return answer?.body.includes(`"name":"${resource}"`) ?? false
  }
  try {
    await eventually(`the first type\n${output}`, () => serves('toys'))
    folder.write('toys.ts', 'export default {{{')
    await eventually('the log line about the failure', () =>
      /the server continues with the previous sources/.test(output),
    )
    assert.match(output, /toys\.ts/)
    assert.ok(await serves('toys'))
    // Another save with the same failure.
    folder.write('toys.ts', 'export default {{{')
    await new Promise(done => setTimeout(done, 3000))
    assert.is(output.split('the server continues with the previous sources').length, 2, 'it is logged once')
    folder.write('toys.ts', pluginSource('games'))
    await eventually('the new type', () => serves('games'))
    assert.match(
      output,
      /reloaded in \d+ ms: now resources +games\.toys\.test \(v1\); before resources +toys\.toys\.test \(v1\)/,
    )
    assert.not.ok(await serves('toys'))
    assert.is(output.split('Serving at').length, 2, 'the server did not restart')
    // A change that requires a restart, such as another option of the server.
    folder.write('orch.config.ts', `export default { maxRequestsInflight: 300, plugins: [${others}, './toys.ts'] }`)
    await eventually('the restart', () => /reloading: the same types and parts/.test(output))
    await eventually('the type', () => serves('games'))
  } catch (failure) {
    throw new Error(`${failure}\n${output}`)
  } finally {
    child.kill('SIGTERM')
    await exited
    assert.not.ok(await serves('games'), 'the server ends with the command')
    folder.remove()
  }
})

watching.run()
