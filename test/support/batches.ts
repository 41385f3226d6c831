import { basename } from 'node:path'
import { longSuites, waitingSuites } from './long-suites.js'

/**
 * Files that may share a process, and how many of them. Before a file tests anything, it loads a thousand modules or more, which takes a
 * second or two of CPU: in a run with three hundred processes that was an eighth of everything. Files below one of these folders load mostly the same.
 */
const sharing: readonly { readonly below: RegExp; readonly files: number }[] = [
  { below: /^examples\//, files: 6 },
  { below: /^kernel\//, files: 45 },
  { below: /^libs\//, files: 40 },
  { below: /^sdk\//, files: 40 },
  { below: /^plugins\//, files: 45 },
  { below: /^orchctl\//, files: 20 },
  { below: /^test\/api\//, files: 12 },
  { below: /^test\/architecture\//, files: 12 },
  { below: /^test\/boot\//, files: 5 },
  // With browsers.
  { below: /^test\/console\//, files: 4 },
  { below: /^test\/encryption\//, files: 4 },
  { below: /^test\/policies\//, files: 12 },
  { below: /^test\/schema\//, files: 12 },
  { below: /^test\/storage\//, files: 6 },
  { below: /^test\/versions\//, files: 8 },
  { below: /^test\/webhooks\//, files: 12 },
]

/** Files that would disturb others in one process, or be disturbed: they measure time, memory or the process itself. */
const aloneFiles = /bounded-work|event-loop|\bstall|memory(?!-store)|leak|cost|short-lived/

/** Test files in the order in which they run, those that may share a process in one list. */
export function batchesOf(files: readonly string[]): string[][] {
  const isBatched = (file: string) =>
    !aloneFiles.test(basename(file)) && longSuites[file] === undefined && !waitingSuites.has(file)
  const batches: string[][] = []
  const open = new Map<unknown, string[]>()
  for (const file of files) {
    const place = isBatched(file) ? sharing.find(({ below }) => below.test(file)) : undefined
    const batch = place && open.get(place)
    if (batch && batch.length < place.files) {
      batch.push(file)
      continue
    }
    const started = [file]
    batches.push(started)
    if (place) open.set(place, started)
  }
  return batches
}
