import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { eventually } from './eventually.js'
import { programFor } from './orch-program.js'

/** `orch controllers` in a process of its own. */
export interface RunningControllers {
  /** Everything it printed so far. */
  output(): string
  /** Waits until it has printed this. */
  untilPrinted(text: string): Promise<void>
  /** Asks it to stop and waits for its exit code. Harmless when called twice. */
  stop(): Promise<number | null>
}

const root = fileURLToPath(new URL('../../..', import.meta.url))
const limitMs = 30_000

/** Starts the control loops for the server that the flags name. */
export function startControllers(...flags: string[]): RunningControllers {
  const program = programFor(flags)
  const child: ChildProcess = spawn(process.execPath, [program, 'controllers', '--log-format=json', ...flags], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  let output = ''
  child.stdout?.on('data', chunk => (output += chunk))
  child.stderr?.on('data', chunk => (output += chunk))
  return {
    output: () => output,
    async untilPrinted(text) {
      const isThere = () => {
        if (output.includes(text)) return true
        if (child.exitCode !== null) throw new Error(`the control loops ended with ${child.exitCode}:\n${output}`)
        return false
      }
      await eventually(`"${text}" in the output of the control loops`, isThere, limitMs)
    },
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}
