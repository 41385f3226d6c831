import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { bundledProgram } from '../support/orch-program.js'
import { adminGet } from './admin-get.js'
import { inFolder } from './boot-request.js'
import { runProgram, serveProgram } from './run-binary.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A plugin that leaves handles open. */
const leaky = `import { definePlugin, services } from 'orch/sdk'
export const plugin = definePlugin({
  name: 'leaky',
  register(to) {
    to.onStart({ name: 'leak', run() { setInterval(() => {}, 1000) } })
    to.command({ name: 'leak', summary: 'Leaks.', async run(argv, io) { setInterval(() => {}, 1000); io.out('leaked\\n'); return 7 } })
  },
})
export default { plugins: [plugin], securePort: 0 }`
const inLeaky = (use: (folder: string) => Promise<void>) => inFolder({ 'orch.config.ts': leaky }, use)

const end = suite('the end of the process')

end('follows after conformance has found an open timer', () =>
  inLeaky(async folder => {
    const { code, out, err } = await runProgram(
      bundledProgram,
      folder,
      'conformance',
      './orch.config.ts',
      '--only=leaves',
    )
    assert.is(code, 1, err)
    assert.match(out, /FAIL starts and stops.*\n.*still open after stop: 1 Timeout/)
    assert.match(out, /leaky: 0 passed, 1 failed/)
  }),
)

end('follows a command of a plugin, whatever it left open, with its exit code', () =>
  inLeaky(async folder => {
    const { code, out } = await runProgram(bundledProgram, folder, 'leak')
    assert.equal([code, out], [7, 'leaked\n'])
  }),
)

end('follows a signal, whatever plugins left open, and both are logged', () =>
  inLeaky(async folder => {
    const server = await serveProgram(bundledProgram, folder)
    assert.is(await server.stop(), 0)
    assert.match(server.err(), /"signal":"SIGTERM","message":"stopped"/)
    assert.match(server.err(), /plugins have left resources open: 1 Timeout\n/)
  }),
)

end('follows immediately after a second signal of any kind, but not after SIGHUP', () =>
  inFolder({}, async folder => {
    const words = [bundledProgram, 'serve', '--log-format=json', '--secure-port=0', '--shutdown-delay-duration=10m']
    const child = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    child.stdout.on('data', text => (out += text))
    child.stderr.on('data', text => (out += text))
    const ended = new Promise(resolve => child.on('close', (code, signal) => resolve(signal ?? code)))
    try {
      await eventually('the server', () => out.includes('/version\n'), 60_000)
      child.kill('SIGHUP')
      await eventually('the outcome', () => out.includes('SIGHUP is ignored'), 60_000)
      child.kill('SIGTERM')
      await eventually('the log line about the first signal', () => out.includes('"message":"stopping"'), 60_000)
      child.kill('SIGINT')
      assert.is(await ended, 'SIGKILL')
      assert.match(out, /orch: exited because of a second signal, SIGINT\n/)
    } finally {
      child.kill('SIGKILL')
    }
  }),
)

const pipelines = ['help', 'serve --help', 'plugins', 'nonsense 2>&1', 'plugins --nonsense 2>&1']
for (const words of pipelines) {
  end(`prints no error for a closed pipe: orch ${words} | true`, () =>
    inFolder({}, async folder => {
      const command = `"${process.execPath}" "${bundledProgram}" ${words.replace(/ 2>&1$/, '')} ${words.endsWith('2>&1') ? '2>&1' : ''} | true`
      const { stderr } = spawnSync('sh', ['-c', command], { cwd: folder, encoding: 'utf8' })
      assert.is(stderr, '')
    }),
  )
}

end('does not follow from a closed output of a server', () =>
  inFolder({}, async folder => {
    const child = spawn(process.execPath, [bundledProgram, 'serve', '--secure-port=0'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = new Promise(resolve => child.on('exit', (code, signal) => resolve(signal ?? code)))
    try {
      const address = await new Promise<string>(resolve => {
        let out = ''
        child.stdout.on('data', text => {
          out += text
          if (out.includes('/version\n')) resolve(out)
        })
      })
      assert.match(address, /Serving at/)
      child.stdout.destroy()
      child.stderr.destroy()
      const config = join(folder, 'data/admin.conf')
      // Each of these is logged.
      for (let i = 0; i < 3; i++) assert.is((await adminGet(config, '/api/v1/namespaces/x/nothing')).status, 404)
      child.kill('SIGTERM')
      assert.is(await ended, 0)
    } finally {
      child.kill('SIGKILL')
    }
  }),
)

/** Runs a command that starts a server and signals the command: the server must end, too. */
async function endsWith(
  program: string,
  words: readonly string[],
  cwd: string,
  dataDir: string,
): Promise<number | null> {
  const child = spawn(program, [...words, '--secure-port=0', '--log-format=json', `--data-dir=${dataDir}`], {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let closed = false
  child.stdout.on('data', text => (out += text))
  child.stderr.on('data', text => (out += text))
  // The streams close when the last process that holds them ends.
  child.on('close', () => (closed = true))
  try {
    await eventually('the server', () => out.includes('/version\n'), 60_000)
    child.kill('SIGTERM')
    await eventually('the end of the server', () => closed, 20_000)
    assert.match(out, /"message":"stopped"/)
    return child.exitCode
  } finally {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // All of them have ended.
    }
  }
}

end('reaches the server when npm start is signalled', () =>
  inFolder({}, async folder => {
    // It waits for the server, and ends with its exit code.
    assert.is(await endsWith('npm', ['start', '--'], root, join(folder, 'data')), 0)
  }),
)

end('reaches the server when npx is signalled', () =>
  inFolder({ 'package.json': '{}' }, async folder => {
    // Installed, as for users: in the clone itself npx would rebuild the package while other tests use it.
    const programs = join(folder, 'node_modules/.bin')
    mkdirSync(programs, { recursive: true })
    writeFileSync(join(programs, 'orch'), `#!/bin/sh\nexec "${process.execPath}" "${bundledProgram}" "$@"\n`, {
      mode: 0o755,
    })
    await endsWith('npx', ['orch', 'serve'], folder, join(folder, 'data'))
  }),
)

end('does not depend on the shell in an npm test script', () =>
  inFolder({}, async folder => {
    const script = `"${process.execPath}" "${bundledProgram}" serve --secure-port=0 > out 2>&1 & echo $! > pid; while ! grep -q version out; do sleep 0.1; done`
    spawnSync('sh', ['-c', script], { cwd: folder, env: { ...process.env, npm_lifecycle_event: 'pretest' } })
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    try {
      await new Promise(resolve => setTimeout(resolve, 2_000))
      assert.is((await adminGet(join(folder, 'data/admin.conf'), '/readyz')).status, 200)
    } finally {
      process.kill(pid, 'SIGKILL')
    }
  }),
)

end.run()
