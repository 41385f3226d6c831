import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { bundledProgram, compiledProgram } from '../support/orch-program.js'
import { startOrch } from '../support/start-orch.js'
import { inFolder } from './boot-request.js'

const surprise = suite('an uncaught error')

/** Writes continuously, so that a commit is in progress when the plugin fails. */
const config = `import { defineConfig, definePlugin, services } from 'orch/sdk'
import usual from ${JSON.stringify(join(fileURLToPath(new URL('../../..', import.meta.url)), 'orch.config.ts'))}
const path = '/api/v1/namespaces/default/configmaps'
const busy = definePlugin({
  name: 'busy',
  register(to) {
    to.controller({
      name: 'busy',
      needs: { client: services.client },
      rules: [{ verbs: ['create', 'get'], apiGroups: [''], resources: ['configmaps'] }],
      start({ client }) {
        const write = async writer => {
          for (let i = 0; ; i++) {
            const body = JSON.stringify({ metadata: { name: \`\${writer}-\${i}\` } })
            await client.request({ method: 'POST', path, headers: { 'content-type': 'application/json' }, body })
          }
        }
        for (let writer = 0; writer < 32; writer++) write(writer)
        setTimeout(async () => {
          await client.request({ method: 'GET', path: path + '/the-last', headers: {} }).catch(() => {})
          setImmediate(() => { throw new Error('nobody expects this') })
        }, 1500)
      },
    })
  },
})
export default defineConfig({ plugins: [...usual.plugins, busy] })`

const endOf = (program: string, workingDir: string) =>
  new Promise<{ signal: string | null; err: string }>(resolve => {
    const child = spawn(process.execPath, [program, 'serve', '--secure-port=0', '--audit-log-path=audit.log'], {
      cwd: workingDir,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const tooLate = setTimeout(() => child.kill('SIGQUIT'), 60_000)
    let err = ''
    child.stderr.setEncoding('utf8').on('data', text => (err += text))
    child.on('close', (_, signal) => {
      clearTimeout(tooLate)
      resolve({ signal, err })
    })
  })

for (const [name, program] of Object.entries({ compiled: compiledProgram, bundled: bundledProgram })) {
  surprise(`ends the ${name} program during writes, and is logged`, () =>
    inFolder({ 'orch.config.ts': config }, async folder => {
      const { signal, err } = await endOf(program, folder)
      assert.is(signal, 'SIGKILL', err)
      assert.match(err, 'exited because of an uncaught error: Error: nobody expects this')
      assert.not.match(err, 'forbidden')
      // Log lines from just before it are written.
      assert.match(readFileSync(join(folder, 'audit.log'), 'utf8'), '/the-last"')
    }),
  )
}

/** Each start leaves a promise that is rejected later. */
const careless = `import { defineConfig, definePlugin } from 'orch/sdk'
import usual from ${JSON.stringify(join(fileURLToPath(new URL('../../..', import.meta.url)), 'orch.config.ts'))}
let starts = 0
async function dropIt(start) {
  await new Promise(resolve => setTimeout(resolve, 50))
  throw new Error('nobody waits for this, start ' + start)
}
const careless = definePlugin({
  name: 'careless',
  register: to => to.controller({ name: 'careless', start: () => void dropIt(++starts) }),
})
export default defineConfig({ plugins: [...usual.plugins, careless] })`

surprise('an unhandled rejection of a control loop is logged with its stack, and the loop restarts', () =>
  inFolder({ 'orch.config.ts': careless }, async folder => {
    const server = await startOrch({ workingDir: folder, flags: ['--log-format=json'] })
    try {
      await eventually('a second start', () => server.output().includes('nobody waits for this, start 2'))
      for (const part of ['a control loop failed', 'at dropIt']) assert.match(server.output(), part)
      assert.is(await Promise.race([server.exit, Promise.resolve('running')]), 'running')
    } finally {
      await server.stop()
    }
  }),
)

surprise.run()
