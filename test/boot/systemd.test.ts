import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import net from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { activatedSocket } from '../../kernel/http/activated-socket.js'
import { eventually } from '../support/eventually.js'
import { findProgram } from '../support/find-program.js'
import { programFor } from '../support/orch-program.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { adminGet } from './admin-get.js'

const root = join(import.meta.dirname, '../../..')
const units = join(root, 'packaging/systemd')
const patientMs = 60_000

const sockets = suite('a socket from systemd')

sockets('is used by the process that it is meant for', () => {
  assert.is(activatedSocket({ LISTEN_PID: '42', LISTEN_FDS: '1' }, 42), 3)
  assert.is(activatedSocket({ LISTEN_PID: '42', LISTEN_FDS: '1' }, 43), undefined)
  assert.is(activatedSocket({}, 42), undefined)
  assert.throws(
    () => activatedSocket({ LISTEN_PID: '42', LISTEN_FDS: '2' }, 42),
    (error: Error) => /LISTEN_FDS is 2/.test(error.message),
  )
})

/** A socket on which this process does not accept connections, like those of systemd; a Node server would accept them. */
interface BoundSocket {
  readonly fd: number
  getsockname(into: { port?: number }): number
  close(): void
}
const boundSocket = (): BoundSocket =>
  (
    net as unknown as { _createServerHandle(host: string, port: number, family: number): BoundSocket }
  )._createServerHandle('127.0.0.1', 0, 4)

/** Acts as systemd: starts the server with the socket as file descriptor 3. */
function start({ fd }: BoundSocket, dataDir: string, ...flags: string[]): { child: ChildProcess; output(): string } {
  const words = [process.execPath, programFor([]), 'serve', '--data-dir', dataDir, '--controllers=-*', ...flags]
  // The variable names the process that gets the socket: the shell, which becomes the server.
  const child = spawn('sh', ['-c', 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"', 'sh', ...words], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', fd],
  })
  let output = ''
  child.stdout?.on('data', text => (output += text))
  child.stderr?.on('data', text => (output += text))
  return { child, output: () => output }
}

for (const flags of [[], ['--workers=2']])
  sockets(`is served, and outlives the server: ${flags.join(' ') || 'one process'}`, async () => {
    const folder = temporaryFolder()
    const socket = boundSocket()
    const address: { port?: number } = {}
    socket.getsockname(address)
    const port = address.port ?? 0
    const admin = join(folder.path, 'admin.conf')
    try {
      // A port that is in use: the flag is ignored if there is a socket.
      for (let turn = 0; turn < 2; turn++) {
        const { child, output } = start(socket, folder.path, '--secure-port', String(port), ...flags)
        const ended = new Promise(resolve => child.once('exit', resolve))
        await eventually(
          'the server',
          () => {
            if (child.exitCode !== null) throw new Error(output())
            return output().includes(`Serving at https://127.0.0.1:${port}`)
          },
          patientMs,
        )
        assert.is((await adminGet(admin, '/readyz')).status, 200)
        child.kill('SIGTERM')
        assert.is(await ended, 0, output())
      }
    } finally {
      socket.close()
      folder.remove()
    }
  })
sockets.run()

const files = suite('the units of systemd')
const unit = (name: string) => readFileSync(join(units, name), 'utf8')

files('start a program of the package, with flags of the server', () => {
  const [, command = ''] = /^ExecStart=(.*)$/m.exec(unit('orch.service')) ?? []
  const words = command.split(' ')
  const program = words.find(word => word.endsWith('main.js')) ?? ''
  const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { bin: { orch: string } }
  assert.ok(program.endsWith(join('node_modules/orch', bin.orch)), program)
  const help = execFileSync(process.execPath, [programFor([]), 'serve', '--help'], { cwd: root, encoding: 'utf8' })
  for (const [flag] of command.matchAll(/--[a-z-]+/g)) assert.ok(help.includes(flag), `${flag} is a flag`)
  const [, address] = /^ListenStream=(.*):\d+$/m.exec(unit('orch.socket')) ?? []
  assert.is(words[words.indexOf('--bind-address') + 1], address, 'both name one address')
})

// Only with systemd.
const itself = findProgram('systemd-analyze') ? files : files.skip
itself('are valid according to systemd, and restrict the server', () => {
  const analyze = (...words: string[]) =>
    execFileSync('systemd-analyze', words, { cwd: units, encoding: 'utf8', stdio: 'pipe' })
  assert.is(analyze('verify', '--man=no', '--root=/', './orch.socket'), '')
  // From 0, nothing, to 10, everything.
  const report = analyze('security', '--offline=true', '--threshold=20', './orch.service')
  assert.match(report, /Overall exposure level for orch.service: [01]\.\d/)
})

files.run()
