import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { eventually } from '../support/eventually.js'

export interface AckedWrite {
  readonly revision: number
  /** The value written, or `delete`. */
  readonly value: string
  readonly key: string
}

/** A process that writes to a store: see crash-writer. */
export class WriterProcess {
  readonly #child: ChildProcess
  readonly #ackedPath: string
  readonly #ready: Promise<unknown>
  readonly #exited: Promise<unknown>

  constructor(dataDir: string, ackedPath: string, historyMs: number) {
    const program = fileURLToPath(new URL('./crash-writer.js', import.meta.url))
    this.#ackedPath = ackedPath
    this.#child = spawn(process.execPath, [program, dataDir, ackedPath, String(historyMs)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#exited = once(this.#child, 'exit')
    this.#ready = this.#child.stdout ? once(this.#child.stdout, 'data') : Promise.resolve()
  }

  /** Starts writing and waits until some writes are acknowledged. */
  async begin(): Promise<void> {
    await this.#ready
    this.#child.stdin?.write('go\n')
    await eventually('acknowledged writes', () => existsSync(this.#ackedPath) && this.acked().length > 0)
  }
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exited
  }
  /** Lets it finish its current write. Returns its exit code. */
  async finish(): Promise<number | null> {
    this.#child.stdin?.end()
    await this.#exited
    return this.#child.exitCode
  }

  acked(): AckedWrite[] {
    return this.#lines().filter(({ revision }) => revision > 0)
  }
  /** Keys whose deletion was started and may have happened. */
  beingDeleted(): string[] {
    const unfinished = new Map<string, number>()
    for (const { key, value } of this.#lines()) {
      const change = value === 'begun' ? 1 : value === 'refused' || value === 'delete' ? -1 : 0
      unfinished.set(key, (unfinished.get(key) ?? 0) + change)
    }
    return [...unfinished].filter(([, count]) => count > 0).map(([key]) => key)
  }
  #lines(): AckedWrite[] {
    const lines = readFileSync(this.#ackedPath, 'utf8').split('\n')
    // The kill may have cut the last line; a whole one ends with a line feed.
    return lines.slice(0, -1).map(line => {
      const [revision, value = '', key = ''] = line.split(' ')
      return { revision: Number(revision), value, key }
    })
  }
}
