/** Starts the programs of `orch envtest` as suites do: flags, a port that was free, a health check by polling. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import * as http from 'node:http'
import * as https from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '../support/eventually.js'
import { bundledProgram } from '../support/orch-program.js'

const run = promisify(execFile)

/** A program that runs. */
export interface StartedProgram {
  readonly pid: number
  /** Its standard error so far. */
  err(): string
  /** Sends a signal and waits for the exit code. */
  end(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

/** Writes the programs and returns their folder. `home` is where they are stored, `path` is searched for a client. */
export async function writePrograms(home: string, path = process.env['PATH'] ?? ''): Promise<string> {
  const env = { ...process.env, HOME: home, PATH: path }
  const { stdout } = await run(process.execPath, [bundledProgram, 'envtest', 'path'], { env, cwd: home })
  return stdout.trim()
}

/** Whether the flag is in the help, at the beginning of a line, as envtest checks it. */
export async function hasFlag(program: string, flag: string): Promise<boolean> {
  const { stdout, stderr } = await run(program, ['--help'])
  return new RegExp(`^\\s*--${flag}\\b`, 'm').test(stdout + stderr)
}

/** Starts a program and waits until a URL answers 200. `tmp` is its folder for temporary files. */
export async function startProgram(
  program: string,
  argv: readonly string[],
  health: string,
  tmp: string,
): Promise<StartedProgram> {
  const env = { ...process.env, TMPDIR: tmp }
  const child = spawn(program, [...argv], { stdio: ['ignore', 'ignore', 'pipe'], env, cwd: tmp })
  let err = ''
  child.stderr.on('data', text => (err += text))
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  const end = (signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  try {
    await eventually(`${health} to be well`, () => isWell(child, health, () => err), 60_000)
  } catch (error) {
    await end('SIGKILL')
    throw error
  }
  return { pid: child.pid ?? 0, err: () => err, end }
}

function isWell(child: ChildProcess, url: string, err: () => string): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${err()}`)
  const { get } = url.startsWith('https:') ? https : http
  return new Promise(resolve => {
    get(url, { rejectUnauthorized: false, agent: false }, answer => {
      answer.resume()
      resolve(answer.statusCode === 200)
    }).on('error', () => resolve(false))
  })
}

/** Runs a program to its end. */
export async function runToEnd(program: string, argv: readonly string[]): Promise<{ code: number; err: string }> {
  return run(program, [...argv]).then(
    ({ stderr }) => ({ code: 0, err: stderr }),
    (failure: { code: number; stderr: string }) => ({ code: failure.code, err: failure.stderr }),
  )
}

/** A free port. */
export function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

export const programIn = (folder: string, name: 'kube-apiserver' | 'etcd' | 'kubectl'): string => join(folder, name)
