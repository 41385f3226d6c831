import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { get } from 'node:https'
import { join } from 'node:path'
import type { SeededRandom } from '../../fuzz/seeded-random.js'
import { eventually } from '../../support/eventually.js'
import { programFor } from '../../support/orch-program.js'
import type { Endpoint } from '../clients/send-request.js'
import { type CuttingProxy, startCuttingProxy } from './cutting-proxy.js'
import { spoilReplica } from './spoil-replica.js'

export interface ServerOptions {
  readonly name: string
  readonly dataDir: string
  readonly tokenFile: string
  readonly token: string
  readonly flags: readonly string[]
}

const readyWithinMs = 120_000
const keptOutput = 4000
/**
 * The space that a full disk has left. Not zero: a disk fills up over time, and with no space at once servers were
 * seen to crash inside lmdb 3.5.6. The store detects this much in advance (space-guard.ts); the sudden case is not tested.
 */
const leftBytes = 2 ** 19

/** One `orch serve` behind a proxy that keeps its address across restarts. */
export class ServerProcess {
  readonly name: string
  readonly proxy: CuttingProxy
  readonly #options: ServerOptions
  #child: ChildProcess | undefined
  #output = ''
  #isExpectedToEnd = false
  /** Set if the process ended without being killed. */
  unexpectedEnd: string | undefined

  private constructor(options: ServerOptions, proxy: CuttingProxy) {
    this.name = options.name
    this.#options = options
    this.proxy = proxy
  }
  static async start(options: ServerOptions): Promise<ServerProcess> {
    const server = new ServerProcess(options, await startCuttingProxy())
    try {
      await server.start()
      return server
    } catch (error) {
      await server.stop()
      throw error
    }
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }
  /** The ids of its worker processes, if it has any. */
  get workers(): readonly number[] {
    try {
      return readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8').split(' ').map(Number).filter(Boolean)
    } catch {
      return []
    }
  }
  get endpoint(): Endpoint {
    const { name, dataDir, token } = this.#options
    return { name, port: this.proxy.port, ca: readFileSync(join(dataDir, 'pki/ca.crt'), 'utf8'), token }
  }

  /** Starts the process and waits until it is ready. */
  async start(): Promise<void> {
    const { dataDir, tokenFile, flags } = this.#options
    const words = [
      programFor(flags),
      'serve',
      '--secure-port',
      '0',
      '--data-dir',
      dataDir,
      '--token-auth-file',
      tokenFile,
    ]
    const child = spawn(process.execPath, [...words, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    this.#isExpectedToEnd = false
    let banner = ''
    const keep = (text: string) => (this.#output = (this.#output + text).slice(-keptOutput))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      banner = (banner + text).slice(0, keptOutput)
      keep(text)
    })
    child.stderr.setEncoding('utf8').on('data', keep)
    child.on('exit', (code, signal) => {
      if (this.#isExpectedToEnd) return
      this.unexpectedEnd = `${this.name} ended by itself (${signal ?? `exit code ${code}`}): ${this.#output}`
    })
    const port = await eventually(
      `${this.name} to listen`,
      () => {
        if (this.unexpectedEnd !== undefined) throw new Error(this.unexpectedEnd)
        return Number(/https:\/\/127\.0\.0\.1:(\d+)/.exec(banner)?.[1] ?? 0) || undefined
      },
      readyWithinMs,
    )
    await eventually(`${this.name} to be ready`, () => this.#isReady(port), readyWithinMs)
    this.proxy.aimAt(port)
  }

  /** Ends it at once, as a failing machine would. */
  async kill(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    this.#isExpectedToEnd = true
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
    this.proxy.aimAt(undefined)
  }
  pause(): void {
    this.#signalAll('SIGSTOP')
  }
  resume(): void {
    this.#signalAll('SIGCONT')
  }
  /** Kills a worker process, which must be replaced. */
  killWorker(pid: number): void {
    signal(pid, 'SIGKILL')
  }
  #signalAll(name: NodeJS.Signals): void {
    for (const pid of [this.pid, ...this.workers]) signal(pid, name)
  }

  /** Only between `kill` and `start`. */
  spoilReplica(random: SeededRandom): void {
    spoilReplica(this.#options.dataDir, random)
  }

  /** Limits the file size, which looks like a nearly full disk to the process. */
  fillDisk(): void {
    const { size } = statSync(join(this.#options.dataDir, 'store/data.mdb'))
    this.#limitFiles(String(size + leftBytes))
  }
  freeDisk(): void {
    this.#limitFiles('unlimited')
  }
  #limitFiles(bytes: string): void {
    for (const pid of [this.pid, ...this.workers]) {
      // The process may have just ended.
      spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`])
    }
  }

  async stop(): Promise<void> {
    const { workers } = this
    await this.kill()
    for (const pid of workers) signal(pid, 'SIGKILL')
    await this.proxy.close()
  }

  #isReady(port: number): Promise<boolean> {
    const { token } = this.#options
    return new Promise(resolve => {
      const headers = { authorization: `Bearer ${token}` }
      const options = { port, host: '127.0.0.1', path: '/readyz', rejectUnauthorized: false, agent: false, headers }
      get(options, response => {
        response.resume()
        resolve(response.statusCode === 200)
      }).on('error', () => resolve(false))
    })
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended already.
  }
}
