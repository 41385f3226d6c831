import { pathToFileURL } from 'node:url'
import { loadedLine } from './batch-output.js'

/**
 * Runs several compiled test files in one process: small files spend most of their time loading modules. A file that runs no suite
 * fails the batch, so that it is rerun alone and reported.
 */
const queue: unknown[][] = []
// What `uvu/run` sets; it does not tell which files have run nothing.
Object.assign(globalThis, { UVU_DEFER: 1, UVU_QUEUE: queue })
const { exec } = (await import('uvu')) as unknown as { exec(): Promise<void> }
for (const [index, file] of process.argv.slice(2).entries()) {
  Object.assign(globalThis, { UVU_INDEX: index })
  queue.push([file])
  await import(pathToFileURL(file).href)
  if (queue[index]!.length === 1) throw new Error(`${file} runs no suite`)
  console.log(loadedLine(file))
}
await exec()
