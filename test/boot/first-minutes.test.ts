import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { bundledProgram } from '../support/orch-program.js'
import { inFolder } from './boot-request.js'
import { serveProgram } from './run-binary.js'

const minutes = suite('the first minutes')

minutes('an old Node is rejected with a message', async () => {
  for (const program of [bundledProgram, join(bundledProgram, '../../orchctl/main.js')]) {
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '18.20.8' })`
    const words = [
      '--input-type=module',
      '-e',
      `${pretend}; process.argv[1] = '${program}'; await import('file://${program}')`,
    ]
    const ended = await promisify(execFile)(process.execPath, words).then(
      () => ({ code: 0, stderr: '' }),
      error => error as { code: number; stderr: string },
    )
    assert.is(ended.code, 1)
    assert.match(ended.stderr, /^orch(ctl)? needs Node 20 or newer, and this is Node 18\.20\.8/)
    assert.is(ended.stderr.trim().split('\n').length, 1)
  }
})

minutes('the printed commands are those that work where the client is installed', () =>
  inFolder({}, async dir => {
    mkdirSync(join(dir, 'node_modules/.bin'), { recursive: true })
    writeFileSync(join(dir, 'node_modules/.bin/orchctl'), '')
    const server = await serveProgram(bundledProgram, dir, '--secure-port=0')
    try {
      assert.match(server.banner, /\n {2}ORCHCONFIG=\S+ npx orchctl api-resources\n/)
      assert.not.match(server.err(), /event loop was blocked/)
    } finally {
      await server.stop()
    }
  }),
)

minutes('for a global installation, the client next to the server', () =>
  inFolder({}, async dir => {
    const bin = join(dir, 'bin')
    mkdirSync(bin)
    symlinkSync(bundledProgram, join(bin, 'orch'))
    symlinkSync(join(bundledProgram, '../../orchctl/main.js'), join(bin, 'orchctl'))
    const server = await serveProgram(join(bin, 'orch'), dir, '--secure-port=0')
    await server.stop()
    const [, client] = /\n {2}ORCHCONFIG=\S+ (\S+) api-resources\n/.exec(server.banner) ?? []
    assert.is(client, join(bin, 'orchctl'))
  }),
)

minutes('the log of the first start is a few short readable lines', () =>
  inFolder({}, async dir => {
    const server = await serveProgram(bundledProgram, dir, '--secure-port=0', '--log-format=text')
    await server.stop()
    const lines = server.err().trimEnd().split('\n')
    assert.ok(lines.length <= 5, server.err())
    for (const line of lines) assert.match(line, /^\S+Z (INFO|WARN) .{1,150}$/)
    assert.match(lines.join('\n'), / INFO {2}serving address=https:\/\/127\.0\.0\.1:\d+ /)
    assert.match(lines.at(-1) ?? '', / INFO {2}stopped signal=SIGTERM$/)
  }),
)

minutes('a server without authentication warns about it', () =>
  inFolder({ 'orch.config.ts': "export default { plugins: ['orch/plugins/namespaces'] }\n" }, async dir => {
    const server = await serveProgram(bundledProgram, dir, '--secure-port=0')
    try {
      await eventually('the warning', () => /no plugin authenticates requests/.test(server.err()))
    } finally {
      await server.stop()
    }
  }),
)

minutes.run()
