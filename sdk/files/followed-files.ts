import { type ChangingFilesOptions, FileContents } from './file-contents.js'
import { FileReports } from './file-reports.js'

/** How often files are checked. */
const lookEveryMs = 1000
/** Contents that could not be applied are retried with backoff, at most after this time. */
const longestRetryMs = 60_000

/** Which files, how to parse them, and how to apply the contents. */
export interface FollowedFilesOptions<T> extends ChangingFilesOptions<T> {
  /** Applies the contents. While it rejects, the previous contents stay in use, and it is retried. */
  apply(value: T): Promise<void>
}

/** Files that are applied whenever they change. For contents that need more than parsing. */
export class FollowedFiles<T> {
  readonly #options: FollowedFilesOptions<T>
  readonly #reports: FileReports
  #contents: FileContents<T> | undefined
  #applied: T | undefined
  /** Contents that could not be applied, and why: reported once. */
  #refused:
    | { readonly value: T; readonly why: string; readonly delayMs: number; readonly notBefore: number }
    | undefined
  #applying: Promise<void> = Promise.resolve()
  #isStopped = false
  #cancel = () => {}

  constructor(options: FollowedFilesOptions<T>) {
    this.#options = options
    this.#reports = new FileReports(options)
  }

  /** Rejects when the files cannot be used. */
  async start(): Promise<void> {
    const reports = this.#reports
    // That they can be read is not reported before they are in force.
    this.#contents = new FileContents(this.#options, {
      changed: () => {},
      restored: () => reports.restored(),
      refused: error => reports.refused(error),
    })
    const value = this.#contents.current()
    this.#applying = this.#options.apply(value)
    await this.#applying
    this.#applied = value
    this.#lookLater()
  }
  /** Resolves when no more contents will be applied. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#cancel()
    await this.#applying.catch(() => {})
  }

  #lookLater(): void {
    if (this.#isStopped) return
    this.#cancel = this.#options.clock.after(lookEveryMs, () => {
      this.#applying = this.#look()
      void this.#applying.finally(() => this.#lookLater())
    })
  }

  async #look(): Promise<void> {
    const value = this.#contents!.current()
    if (value === this.#applied) return
    const before = this.#refused?.value === value ? this.#refused : undefined
    const now = this.#options.clock.now()
    if (before && now < before.notBefore) return
    try {
      await this.#options.apply(value)
      this.#applied = value
      this.#refused = undefined
      this.#reports.changed()
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      if (before?.why !== why && !this.#isStopped) this.#reports.refused(error)
      const delayMs = Math.min(before ? before.delayMs * 2 : lookEveryMs, longestRetryMs)
      this.#refused = { value, why, delayMs, notBefore: now + delayMs }
    }
  }
}
