import { exec, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bundledProgram } from '../support/orch-program.js'
import { inFolder } from './boot-request.js'
import { serveProgram } from './run-binary.js'

const printed = suite('the commands that orch serve prints')
const run = promisify(exec)

// A space in the path, to test quoting.
printed('work unchanged, with the program and the client that npm installs', () =>
  inFolder({}, async dir => {
    const server = await serveProgram(bundledProgram, dir, '--secure-port=0', '--data-dir=my data')
    try {
      const commands = server.banner.split('\n').filter(line => line.startsWith('  '))
      assert.is(commands.length, 3)
      const [types = '', health = '', version = ''] = await Promise.all(
        commands.map(async command => (await run(command, { cwd: '/', timeout: 60_000 })).stdout),
      )
      assert.match(types, /\nconfigmaps +cm +v1 +true +ConfigMap\n/)
      assert.match(health, 'readyz check passed')
      assert.is(JSON.parse(version).minor, '23')

      const client = commands[0]?.replace(' api-resources', '') ?? ''
      const object = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}}'
      const made = await run(`echo '${object}' | ${client} create -f - && ${client} get cm | head -1`, { cwd: '/' })
      assert.match(made.stdout, /^configmap\/a created\nNAME +DATA +AGE\n$/)
    } finally {
      assert.is(await server.stop(), 0)
    }
  }),
)

printed('are those of the installed commands', () => {
  for (const name of ['kernel', 'orchctl']) {
    const program = join(bundledProgram, '../..', name, 'main.js')
    assert.match(
      execFileSync(program, ['version', ...(name === 'orchctl' ? ['--client'] : [])], { encoding: 'utf8' }),
      /\d+\.\d+/,
    )
  }
})

printed.run()
