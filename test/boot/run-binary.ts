import { spawn } from 'node:child_process'
import { programFor } from '../support/orch-program.js'

export interface EndedProgram {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const program = programFor([])

/** Runs `orch ...` in a folder to its end. */
export const runBinary = (workingDir: string, ...words: string[]): Promise<EndedProgram> =>
  runProgram(program, workingDir, ...words)

export function runProgram(program: string, workingDir: string, ...words: string[]): Promise<EndedProgram> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...words], {
      cwd: workingDir,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    child.stdout.setEncoding('utf8').on('data', text => (out += text))
    child.stderr.setEncoding('utf8').on('data', text => (err += text))
    child.on('error', reject).on('close', code => resolve({ code, out, err }))
  })
}

export interface RunningBinary {
  /** The output of `orch serve` until it was ready. */
  readonly banner: string
  /** Its standard error so far. */
  err(): string
  /** Sends SIGTERM and waits for the exit code. */
  stop(): Promise<number | null>
}

/** Starts `orch serve ...` in a folder and waits until it prints the example commands. */
export const serveBinary = (workingDir: string, ...words: string[]): Promise<RunningBinary> =>
  serveProgram(program, workingDir, ...words)

export function serveProgram(program: string, workingDir: string, ...words: string[]): Promise<RunningBinary> {
  return new Promise((resolve, reject) => {
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    const child = spawn(process.execPath, [program, 'serve', '--log-format=json', ...words], {
      cwd: workingDir,
      stdio: [...stdio],
    })
    let out = ''
    let err = ''
    const ended = new Promise<number | null>(end => child.on('close', end))
    child.stderr.setEncoding('utf8').on('data', text => (err += text))
    child.stdout.setEncoding('utf8').on('data', text => {
      out += text
      const stop = () => {
        child.kill('SIGTERM')
        return ended
      }
      if (/curl .*\n/.test(out)) resolve({ banner: out, err: () => err, stop })
    })
    ended.then(code => reject(new Error(`orch serve ended with ${code}: ${err}`)))
  })
}
