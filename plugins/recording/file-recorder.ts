import type { Logger, Vendor } from 'orch/sdk'
import type { SharedWork } from 'orch/sdk/proposed'
import type { RecordedChange, RecordedRequest, Recorder } from 'orch/sdk/server'
import { RecordFile } from './record-file.js'
import { changeLine, headLine, requestLine } from './record-lines.js'

export interface FileRecorderParts {
  readonly path: string
  readonly maxBytes: number
  readonly shared: SharedWork
  readonly logger: Logger
  readonly vendor: Vendor
}

/** Writes recorded data to a file. A file that can no longer be written ends the recording, but never the server. */
export class FileRecorder implements Recorder {
  readonly #parts: FileRecorderParts
  readonly #file: RecordFile
  /** Several processes serve requests; one of them writes the file. */
  readonly #writeLine: (line: string) => Promise<void>
  /** Objects whose state is contained in the current part of the file. */
  readonly #recorded = new Set<string>()

  constructor(parts: FileRecorderParts) {
    this.#parts = parts
    const startedAt = () => performance.timeOrigin + performance.now()
    const head = (part: number) => headLine({ vendor: parts.vendor.name, startedAt: startedAt(), part })
    this.#file = new RecordFile(parts.path, parts.maxBytes, head)
    this.#writeLine = parts.shared.declare('recording', (line: string) => this.#write(line))
  }

  open(): () => Promise<void> {
    this.#file.open()
    return async () => this.#file.close()
  }

  request(request: RecordedRequest): void {
    this.#try(() => requestLine(request))
  }

  change(change: RecordedChange): void {
    // Before it is open, the server creates its initial objects, which are not part of a test.
    if (!this.#file.isOpen) return
    const { group, resource, namespace, name, type } = change
    const key = `${group}/${resource}/${namespace}/${name}`
    this.#try(() => changeLine(change, !this.#recorded.has(key)))
    if (type === 'delete') this.#recorded.delete(key)
    else this.#recorded.add(key)
  }

  #try(line: () => string): void {
    try {
      this.#writeLine(line()).catch(failure => this.#fail(failure))
    } catch (failure) {
      this.#fail(failure)
    }
  }
  #write(line: string): void {
    if (this.#file.write(line)) this.#recorded.clear()
  }
  #fail(failure: unknown): void {
    if (!this.#file.isOpen) return
    this.#file.close()
    this.#parts.logger.error('the recording was stopped', { path: this.#parts.path, failure: String(failure) })
  }
}
