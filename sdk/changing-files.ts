import { readFileSync, statSync } from 'node:fs'
import type { Clock, Logger } from './basic-services.js'

/** How often files are looked at, at most: what was taken out of one counts for no longer than this. */
const lookAgainMs = 1000

/** Which files, and what to make of them. */
export interface ChangingFilesOptions<T> {
  /** What the files hold, for the log. */
  readonly what: string
  readonly paths: readonly string[]
  /** Makes sense of the contents, in the order of the paths. What it throws says what is wrong. */
  parse(texts: readonly string[]): T
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * What files hold, read again when one of them changes. While the new contents make no sense, the old ones count, and the log
 * says why: half of a pair is seen by everybody who replaces two files.
 */
export class ChangingFiles<T> {
  readonly #options: ChangingFilesOptions<T>
  #value: T
  #identity: string
  /** Contents that made no sense are told once. */
  #refused = ''
  #lookedAt: number

  /** Throws when a file cannot be read, or makes no sense. */
  constructor(options: ChangingFilesOptions<T>) {
    this.#options = options
    this.#identity = identityOf(options.paths)
    this.#value = this.#read()
    this.#lookedAt = options.clock.now()
  }

  /** The same value until a file changes. */
  current(): T {
    const now = this.#options.clock.now()
    if (this.#options.paths.length > 0 && Math.abs(now - this.#lookedAt) >= lookAgainMs) {
      this.#lookedAt = now
      this.#readAgain()
    }
    return this.#value
  }

  #readAgain(): void {
    const { what, paths, logger } = this.#options
    const files = paths.join(', ')
    let identity = ''
    try {
      identity = identityOf(paths)
      if (identity === this.#identity || identity === this.#refused) return
      this.#value = this.#read()
      this.#identity = identity
      logger.info(`${what} changed`, { files })
    } catch (error) {
      if (this.#refused === identity && identity !== '') return
      this.#refused = identity
      logger.warn(`${what} could not be read again`, { files, error })
    }
  }

  #read(): T {
    const { paths, parse } = this.#options
    return parse(paths.map(path => readFileSync(path, 'utf8')))
  }
}

/** Changes whenever a file is written or replaced. */
const identityOf = (paths: readonly string[]): string =>
  paths
    .map(path => statSync(path))
    .map(({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`)
    .join()
