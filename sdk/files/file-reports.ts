import type { ChangingFilesOptions } from './file-contents.js'

type Told = Pick<ChangingFilesOptions<unknown>, 'what' | 'paths' | 'logger' | 'metrics'>

/** Reports changed files in the log and in metrics. */
export class FileReports {
  readonly #told: Told

  constructor(told: Told) {
    this.#told = told
  }
  changed(): void {
    const { what, paths, logger } = this.#told
    logger.info(`${what} changed`, { files: paths.join(', ') })
    this.#count('success')
  }
  restored(): void {
    this.changed()
  }
  refused(error: unknown): void {
    const { what, paths, logger } = this.#told
    logger.warn(`${what} could not be read again`, { files: paths.join(', '), error })
    this.#count('failure')
  }

  #count(result: 'success' | 'failure'): void {
    const { what, metrics } = this.#told
    const help = {
      total: 'Files that changed and were read again.',
      refused: '1 while changed files are invalid and their previous contents are in use.',
    }
    metrics?.counter('apiserver_file_reloads_total', help.total, ['what', 'result']).inc({ what, result })
    const refused = metrics?.gauge('apiserver_file_reload_refused', help.refused, ['what'])
    refused?.set(result === 'success' ? 0 : 1, { what })
  }
}
