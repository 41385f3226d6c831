import { readFileSync, statSync } from 'node:fs'
import type { Clock, Logger, Metrics } from '../plugin/basic-services.js'

/** How often files are checked at most: a removed entry stays valid for no longer than this. */
const lookAgainMs = 1000

/** Which files, and how to parse them. */
export interface ChangingFilesOptions<T> {
  /** The purpose of the files, for the log and as a metrics label. */
  readonly what: string
  readonly paths: readonly string[]
  /** Parses the contents, in the order of the paths. Throws an error that says what is wrong. */
  parse(texts: readonly string[]): T
  /** Further files that the contents name: when one of them changes, everything is read again. They must be there. */
  namedIn?(value: T): readonly string[]
  readonly clock: Clock
  readonly logger: Logger
  /** Counts reloads, and shows when the contents in use are older than the files. */
  readonly metrics?: Metrics
}

/** Reports changed files. */
interface Listener {
  changed(): void
  /** The invalid contents were replaced by those that are in use. */
  restored(): void
  refused(error: unknown): void
}

/** The parsed contents of files, and when they changed. */
export class FileContents<T> {
  readonly #options: ChangingFilesOptions<T>
  readonly #listener: Listener
  #value: T
  #named: readonly string[] = []
  #identity: string
  /** Invalid contents are reported once. */
  #refused: string | undefined
  #lookedAt: number

  /** Throws when a file cannot be read, or is invalid. */
  constructor(options: ChangingFilesOptions<T>, listener: Listener) {
    this.#options = options
    this.#listener = listener
    this.#lookedAt = options.clock.now()
    const read = this.#read()
    this.#value = read.value
    this.#named = read.named
    this.#identity = read.identity
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
    let identity = ''
    try {
      identity = joined([identityOf(this.#options.paths), identityOf(this.#named)])
      if (identity === this.#refused) return
      if (identity === this.#identity) {
        if (this.#refused !== undefined) this.#listener.restored()
        this.#refused = undefined
        return
      }
      const read = this.#read()
      this.#value = read.value
      this.#named = read.named
      this.#identity = read.identity
      this.#refused = undefined
      this.#listener.changed()
    } catch (error) {
      // A file that is not there has no identity; that it is still missing is not a change.
      if (this.#refused === identity) return
      this.#refused = identity
      this.#listener.refused(error)
    }
  }

  #read(): { readonly value: T; readonly named: readonly string[]; readonly identity: string } {
    const { paths, parse, namedIn } = this.#options
    // Taken before the contents are read, so that a change in between is noticed.
    const own = identityOf(paths)
    const value = parse(paths.map(path => readFileSync(path, 'utf8')))
    const named = namedIn?.(value) ?? []
    return { value, named, identity: joined([own, identityOf(named)]) }
  }
}

/** Changes whenever a file is written or replaced. */
const identityOf = (paths: readonly string[]): string =>
  joined(paths.map(path => statSync(path)).map(({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`))
const joined = (identities: readonly string[]): string => identities.filter(one => one !== '').join()
