import { type ChangingFilesOptions, FileContents } from './file-contents.js'
import { FileReports } from './file-reports.js'

/**
 * The contents of files, read again when one of them changes. While the new contents are invalid, the old ones stay in use, and
 * the log and metrics report it: when two files are replaced, they do not match for a moment.
 */
export class ChangingFiles<T> {
  readonly #contents: FileContents<T>

  /** Throws when a file cannot be read, or is invalid. */
  constructor(options: ChangingFilesOptions<T>) {
    this.#contents = new FileContents(options, new FileReports(options))
  }

  /** The same value until a file changes. */
  current(): T {
    return this.#contents.current()
  }
}
