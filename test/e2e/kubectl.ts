import { execFile, spawn } from 'node:child_process'
import { eventually } from '../support/eventually.js'
import type { RunningServer } from '../support/start-orch.js'

const commandLimitMs = 30_000

/** Runs kubectl against a server, as its administrator. */
export class Kubectl {
  readonly #program: string
  readonly #environment: NodeJS.ProcessEnv

  constructor(program: string, server: RunningServer, environment: Readonly<Record<string, string>> = {}) {
    this.#program = program
    // Its cache of discovery documents must not outlive the server.
    this.#environment = { ...process.env, KUBECONFIG: server.adminConfig, HOME: server.dataDir, ...environment }
  }

  /** The output of a command. Throws with its standard error if it fails. */
  run(...words: string[]): Promise<string> {
    return this.runWithInput('', ...words)
  }

  runWithInput(input: string, ...words: string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      const options = { env: this.#environment, timeout: commandLimitMs }
      const child = execFile(this.#program, words, options, (error, stdout, stderr) => {
        if (error) reject(new Error(`kubectl ${words.join(' ')}: ${stderr || error.message}`))
        else resolve(stdout)
      })
      child.stdin?.end(input)
    })
  }

  async json<T>(...words: string[]): Promise<T> {
    return JSON.parse(await this.run(...words, '-o', 'json'))
  }

  /** A long-running command, such as a watch. */
  follow(...words: string[]): { until(pattern: RegExp): Promise<string>; stop(): void } {
    const child = spawn(this.#program, words, { env: this.#environment, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', chunk => (output += chunk))
    child.stderr.on('data', chunk => (output += chunk))
    return {
      until: pattern =>
        eventually(`${pattern} in the output of kubectl:\n${output}`, () => pattern.test(output) && output),
      stop: () => void child.kill(),
    }
  }
}
