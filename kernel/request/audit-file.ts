import { createWriteStream, openSync } from 'node:fs'
import type { Logger } from 'orch/sdk'

/** How long a file that could not be written is left alone. */
const retryMs = 1000

/** Where the audit log goes. A file that cannot be written, as on a full disk, costs lines but never the server. */
export class AuditFile {
  readonly #path: string
  readonly #logger: Logger
  #stream: NodeJS.WritableStream | undefined
  #retryAt = 0
  #lostLines = 0
  #isClosed = false

  /** `-` is standard output. Throws when the file cannot be opened: at the start that is a mistake in the options. */
  constructor(path: string, logger: Logger) {
    this.#path = path
    this.#logger = logger
    this.#stream = path === '-' ? process.stdout : this.#open()
  }

  write(line: string): void {
    // What ends after the server has nobody left to be told.
    if (this.#isClosed) return
    this.#stream ??= this.#openAgain()
    if (this.#stream) this.#stream.write(line)
    else this.#lostLines++
  }

  close(): Promise<void> {
    const stream = this.#stream
    this.#isClosed = true
    if (!stream || stream === process.stdout) return Promise.resolve()
    return new Promise(resolve => stream.end(resolve))
  }

  #open(): NodeJS.WritableStream {
    const stream = createWriteStream(this.#path, { fd: openSync(this.#path, 'a', 0o600) })
    stream.on('error', failure => {
      this.#stream = undefined
      this.#failed(failure)
    })
    return stream
  }
  #openAgain(): NodeJS.WritableStream | undefined {
    if (performance.now() < this.#retryAt) return undefined
    try {
      const stream = this.#open()
      this.#logger.warn('the audit log is written again', { path: this.#path, lostLines: this.#lostLines })
      this.#lostLines = 0
      return stream
    } catch (failure) {
      this.#failed(failure as Error)
      return undefined
    }
  }
  #failed({ message }: Error): void {
    this.#retryAt = performance.now() + retryMs
    this.#logger.error('the audit log cannot be written', { path: this.#path, failure: message })
  }
}
