import type { Revision } from 'orch/sdk/host'
import type { Connection } from './connection.js'
import { isCompacted } from './etcd-errors.js'
import type { KeyLayout } from './key-layout.js'
import { compareResult, compareTarget, headerRevision, methods, toNumber } from './protocol.js'

export interface CompactorOptions {
  readonly connection: Connection
  readonly layout: KeyLayout
  readonly historyMs: number
  readonly warn: (message: string) => void
  readonly compacted: (revision: Revision) => void
}

/**
 * Compacts history that is older than the retention time. Of all processes on the cluster, the first in each interval does it: a
 * transaction on a shared key succeeds for it and fails for the others. Each process remembers the newest revision of one interval
 * ago, so history is retained for one to two intervals.
 */
export class Compactor {
  readonly #options: CompactorOptions
  #timer: NodeJS.Timeout | undefined
  #turn = 0
  #newestThen: Revision = 0
  #running = Promise.resolve()

  constructor(options: CompactorOptions) {
    this.#options = options
    if (!Number.isFinite(options.historyMs) || options.historyMs <= 0) return
    this.#timer = setInterval(() => {
      this.#running = this.#running.then(() => this.step()).catch(error => this.#failed(error))
    }, options.historyMs)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  /** Called once per interval. */
  async step(): Promise<void> {
    const { connection, layout } = this.#options
    const key = layout.compact
    const { equal } = compareResult
    // Not retried if the response is lost: the next interval comes soon enough.
    const response = await connection.once(methods.txn, {
      compare: [{ key, result: equal, target: compareTarget.version, version: this.#turn }],
      success: [{ requestPut: { key, value: Buffer.from(String(this.#newestThen)) } }],
      failure: [{ requestRange: { key } }],
    })
    const then = this.#newestThen
    this.#newestThen = headerRevision(response)
    if (response.succeeded) {
      this.#turn++
      if (then > 0) await this.compact(then)
    } else {
      const found = response.responses[0]?.responseRange?.kvs[0]
      this.#turn = found ? toNumber(found.version) : 0
    }
  }

  async compact(revision: Revision): Promise<void> {
    const { connection, compacted } = this.#options
    try {
      await connection.ask(methods.compact, { revision })
    } catch (error) {
      if (!isCompacted(error)) throw error
    }
    compacted(revision)
  }

  #failed(error: unknown): void {
    this.#options.warn(`etcd was not compacted: ${error instanceof Error ? error.message : String(error)}`)
  }
}
