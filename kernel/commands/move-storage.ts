import { createReadStream, createWriteStream, existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { finished, pipeline } from 'node:stream/promises'
import { StorageError, type Store } from 'orch/sdk'
import { type ExportResult, exportStore, type Progress } from '../storage/export/export-store.js'
import { importStore } from '../storage/export/import-store.js'
import { readExport } from '../storage/export/read-export.js'
import { openEngine } from '../storage/open-engine.js'
import { bootOrThrow } from './boot-from-words.js'
import type { CommandLine } from './command-line.js'

/** Instead of a file: standard output or input. */
const standardStream = '-'
const progressEveryMs = 2000
const standardInput = 0
const standardOutput = 1

/** `orch storage export <file>`, with the flags of the server. */
export function exportTo(file: string, flags: readonly string[], line: CommandLine): Promise<number> {
  return withStore(flags, line, 'export', async store => {
    const isStandard = file === standardStream
    // Under another name until it is whole.
    const partial = `${file}.partial`
    const target = isStandard
      ? createWriteStream('', { fd: standardOutput, autoClose: false })
      : createWriteStream(partial, { mode: 0o600 })
    let result: ExportResult | undefined
    await pipeline(async function* () {
      const pieces = exportStore(store, progressOn(line, 'Exported'))
      for (;;) {
        const next = await pieces.next()
        if (next.done) {
          result = next.value
          return
        }
        yield next.value
      }
    }, target)
    if (!isStandard) renameSync(partial, file)
    const say = isStandard ? line.err : line.out
    say(`Exported ${result?.count} objects as of revision ${result?.revision}.\n`)
    return 0
  })
}

/** `orch storage import <file>`, with the flags of the server. */
export function importFrom(file: string, flags: readonly string[], line: CommandLine): Promise<number> {
  return withStore(flags, line, 'import', async store => {
    if (file !== standardStream) await checkFile(file)
    const source =
      file === standardStream ? createReadStream('', { fd: standardInput, autoClose: false }) : createReadStream(file)
    try {
      const { count, revision } = await importStore(store, await readExport(source), progressOn(line, 'Imported'))
      line.out(`Imported ${count} objects; revisions go on from ${revision}.\n`)
      return 0
    } finally {
      source.destroy()
      await finished(source).catch(() => {})
    }
  })
}

/** Reads a file to its end, so that nothing is written when it is damaged. */
async function checkFile(file: string): Promise<void> {
  if (!existsSync(file)) throw new StorageError('unavailable', `there is no export at ${file}`)
  const { records } = await readExport(createReadStream(file))
  for await (const _ of records);
}

async function withStore(
  flags: readonly string[],
  line: CommandLine,
  action: 'export' | 'import',
  work: (store: Store) => Promise<number>,
): Promise<number> {
  const { registry, kernelOptions } = await bootOrThrow(line, flags)
  const { storageEngine, dataDir } = kernelOptions
  // Opening would make an empty one in a folder that was mistyped.
  if (action === 'export' && storageEngine === 'lmdb' && !existsSync(join(dataDir, 'store'))) {
    throw new StorageError('unavailable', `there is no store in ${dataDir}`)
  }
  const store = await openEngine(registry.storages, kernelOptions, Date.now, message => line.err(`orch: ${message}\n`))
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

function progressOn(line: CommandLine, what: string): Progress {
  let next = Date.now() + progressEveryMs
  return (done, all) => {
    if (Date.now() < next) return
    next = Date.now() + progressEveryMs
    line.err(`${what} ${done} of ${all} objects\n`)
  }
}
