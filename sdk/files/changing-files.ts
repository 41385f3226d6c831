import { type ChangingFilesOptions, FileContents } from './file-contents.js'
import { FileReports } from './file-reports.js'

/**
 * What files hold, read again when one of them changes. While the new contents make no sense, the old ones count, and the log
 * and the metrics say so: half of a pair is seen by everybody who replaces two files.
 */
export class ChangingFiles<T> {
  readonly #contents: FileContents<T>

  /** Throws when a file cannot be read, or makes no sense. */
  constructor(options: ChangingFilesOptions<T>) {
    this.#contents = new FileContents(options, new FileReports(options))
  }

  /** The same value until a file changes. */
  current(): T {
    return this.#contents.current()
  }
}
