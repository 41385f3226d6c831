import { basename, dirname } from 'node:path'
import { longSuites, waitingSuites } from './long-suites.js'

/** Folders with many small files that load mostly the same modules. */
const batchedFolders = /^(?:kernel|sdk|plugins|libs|orchctl|test\/(?:api|console|policies|schema|webhooks))\//
const filesPerBatch = 12
/** Files with a browser take longer, and are rerun when one of them fails. */
const filesOfBrowsers = 4

/** Files that would disturb others in one process, or be disturbed: they measure time, memory or the process itself. */
const aloneFiles = /bounded-work|event-loop|\bstall|memory|leak|cost|\bload/

/**
 * Test files in the order in which they run, those that may share a process in one list. Loading what it tests is most of the work of a
 * small file.
 */
export function batchesOf(files: readonly string[]): string[][] {
  const isBatched = (file: string) =>
    batchedFolders.test(file) &&
    !aloneFiles.test(basename(file)) &&
    longSuites[file] === undefined &&
    !waitingSuites.has(file)
  const batches: string[][] = files.filter(file => !isBatched(file)).map(file => [file])
  const open = new Map<string, string[]>()
  for (const file of files.filter(isBatched)) {
    const folder = dirname(file).split('/').slice(0, 2).join('/')
    const batch = open.get(folder)
    const most = folder === 'test/console' ? filesOfBrowsers : filesPerBatch
    if (batch && batch.length < most) batch.push(file)
    else {
      const started = [file]
      open.set(folder, started)
      batches.push(started)
    }
  }
  return batches
}
