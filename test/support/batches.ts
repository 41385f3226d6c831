import { basename } from 'node:path'
import { longSuites, waitingSuites } from './long-suites.js'

/**
 * Files that may share a process, and how many of them. Before a file tests anything, it loads a thousand modules or more, which takes a
 * second or two of CPU: in a run with three hundred processes that was an eighth of everything. Files below one of these folders load mostly the same.
 */
const sharing: readonly { readonly folder: string; readonly files: number }[] = [
  { folder: 'examples/', files: 6 },
  { folder: 'kernel/', files: 45 },
  { folder: 'libs/', files: 40 },
  { folder: 'sdk/', files: 40 },
  { folder: 'plugins/', files: 45 },
  { folder: 'orchctl/', files: 20 },
  { folder: 'test/api/', files: 26 },
  { folder: 'test/architecture/', files: 12 },
  { folder: 'test/boot/', files: 7 },
  // With browsers.
  { folder: 'test/console/', files: 4 },
  { folder: 'test/encryption/', files: 4 },
  { folder: 'test/policies/', files: 12 },
  { folder: 'test/schema/', files: 12 },
  { folder: 'test/storage/', files: 6 },
  { folder: 'test/versions/', files: 8 },
  { folder: 'test/webhooks/', files: 12 },
]

/** Files that would disturb others in one process, or be disturbed: they measure time, memory or the process itself. */
const aloneFiles = /bounded-work|event-loop|\bstall|memory(?!-store)|leak|cost/

/** Test files in the order in which they run, those that may share a process in one list. */
export function batchesOf(files: readonly string[]): string[][] {
  const isBatched = (file: string) =>
    !aloneFiles.test(basename(file)) && longSuites[file] === undefined && !waitingSuites.has(file)
  const batches: string[][] = []
  const open = new Map<string, string[]>()
  for (const file of files) {
    const place = isBatched(file) ? sharing.find(({ folder }) => file.startsWith(folder)) : undefined
    const batch = place && open.get(place.folder)
    if (batch && batch.length < place.files) {
      batch.push(file)
      continue
    }
    const started = [file]
    batches.push(started)
    if (place) open.set(place.folder, started)
  }
  return batches
}
