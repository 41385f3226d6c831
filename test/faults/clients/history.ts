import { isWrite, type Operation, type Outcome } from '../checker/operation.js'
import type { Version } from '../checker/version.js'
import type { WrittenType } from './written-objects.js'

/** The operations of clients since the last quiet moment, and their shared knowledge. */
export class History {
  #operations: Operation[] = []
  readonly #latest = new Map<string, Version>()
  readonly #onAcknowledged: (time: number) => void
  readonly counts = new Map<string, number>()
  /** Answers by status code. */
  readonly statuses = new Map<string, number>()
  /** The newest revision that any client received. */
  newest = 0
  /** Lists of the past go back to here. */
  epochStart = 0

  /** The type that they write. */
  readonly type: WrittenType

  constructor(type: WrittenType, onAcknowledged: (time: number) => void = () => {}) {
    this.type = type
    this.#onAcknowledged = onAcknowledged
  }

  now = (): number => performance.now()

  /** Records an operation and returns its outcome. */
  record(operation: Operation): Outcome {
    this.#operations.push(operation)
    const label = `${operation.kind} ${operation.outcome}`
    this.counts.set(label, (this.counts.get(label) ?? 0) + 1)
    if (operation.outcome !== 'ok') return operation.outcome
    if (isWrite(operation)) this.#onAcknowledged(operation.end)
    if ('revision' in operation && operation.revision !== undefined) {
      this.newest = Math.max(this.newest, operation.revision)
    }
    return operation.outcome
  }
  countStatus(status: number): void {
    const code = String(status)
    this.statuses.set(code, (this.statuses.get(code) ?? 0) + 1)
  }
  /** Returns and clears everything recorded so far. */
  take(): readonly Operation[] {
    const taken = this.#operations
    this.#operations = []
    return taken
  }

  /** Keeps the newest version of a key that any client has seen, for preconditions. */
  latestOf = (key: string): Version | undefined => this.#latest.get(key)
  learn(version: Version): void {
    if (version.revision > (this.#latest.get(version.key)?.revision ?? 0)) this.#latest.set(version.key, version)
  }
}
