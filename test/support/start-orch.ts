import { type ChildProcess, spawn } from 'node:child_process'
import * as http from 'node:http'
import * as https from 'node:https'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually } from './eventually.js'
import { bundledProgram, programFor } from './orch-program.js'
import { temporaryFolder } from './temporary-folder.js'

/** A server in a process of its own: the compiled binary, as a user would start it. */
export interface RunningServer {
  readonly url: string
  readonly pid: number
  readonly dataDir: string
  /** The administrator's client config. */
  readonly adminConfig: string
  /** Everything it printed so far. */
  output(): string
  /** The exit code, once it has ended; null when a signal ended it. */
  readonly exit: Promise<number | null>
  /** Asks it to stop, waits, and removes its folder. Harmless when called twice. */
  stop(): Promise<void>
}

export interface StartOptions {
  /** Flags beside the data folder and the port. */
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** How long it may take to be ready. */
  readonly limitMs?: number
  /** A folder that is kept, instead of a temporary one. */
  readonly dataDir?: string
  /** Where the config is looked for; the top of the repository by default. */
  readonly workingDir?: string
  /** For measuring: the bundle, even if it is older than what was compiled last. */
  readonly isBundled?: boolean
  /** How many files the server may have open, as by `ulimit -n`. */
  readonly openFiles?: number
}

const root = fileURLToPath(new URL('../../..', import.meta.url))
const stopLimitMs = 10_000

/** Starts the server on a free port and waits until it is ready. */
export async function startOrch(options: StartOptions = {}): Promise<RunningServer> {
  const { flags = [], env = {}, limitMs = 60_000 } = options
  const folder = options.dataDir === undefined ? temporaryFolder() : { path: options.dataDir, remove: () => {} }
  // Module by module, a start would open more files at once than a small limit allows.
  const { isBundled = options.openFiles !== undefined } = options
  const program = isBundled ? bundledProgram : programFor(flags)
  const address = ['--data-dir', folder.path, '--secure-port', '0', '--log-format', 'json']
  const words = [process.execPath, program, 'serve', ...address, '--shutdown-linger-duration=0s', ...flags]
  const limited = ['sh', '-c', `ulimit -n ${options.openFiles}; exec "$@"`, 'sh', ...words]
  const [command = '', ...rest] = options.openFiles === undefined ? words : limited
  const child = spawn(command, rest, {
    cwd: options.workingDir ?? root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (output += chunk))
  const exit = new Promise<number | null>(resolve => child.once('exit', resolve))
  const stop = async () => {
    await end(child)
    folder.remove()
  }
  try {
    const url = await eventually(
      'the address of the server',
      () => {
        if (child.exitCode !== null) throw new Error(`the server ended with exit code ${child.exitCode}:\n${output}`)
        // Others may be named before: an issuer that does not answer yet.
        return /(?:Serving at |"address":")(https?:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1]
      },
      limitMs,
    )
    await eventually(`${url} to be ready`, () => isReady(url), limitMs)
    return {
      url,
      pid: child.pid ?? 0,
      dataDir: folder.path,
      adminConfig: join(folder.path, 'admin.conf'),
      output: () => output,
      exit,
      stop,
    }
  } catch (error) {
    await stop()
    throw new Error(`the server did not start:\n${output}`, { cause: error })
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), stopLimitMs)
  await ended
  clearTimeout(timer)
}

/** A server that responds, even with 401 or 403, has started. */
function isReady(url: string): Promise<boolean> {
  return new Promise(resolve => {
    const { get } = url.startsWith('https:') ? https : http
    get(`${url}/readyz`, { rejectUnauthorized: false, agent: false }, response => {
      response.resume()
      resolve([200, 401, 403].includes(response.statusCode ?? 0))
    }).on('error', () => resolve(false))
  })
}
