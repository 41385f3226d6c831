import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { CommandContext } from 'orch/sdk'
import { StorageError } from 'orch/sdk/host'
import { type ExportPoint, exportToFile, writeExport } from './export-store.js'
import { checkRecord, importStore } from './import-store.js'
import { readExport } from './read-export.js'
import { progressOf } from './storage-figures.js'

/** Instead of a file: standard output or input. */
const standardStream = '-'
const standardOutput = 1

/** Without this flag, encrypted objects are exported encrypted. */
const decrypts = '--decrypt'

/** Exports an earlier state, as long as the store has its history. */
const pointFlag = '--at-revision'

/** `orch storage export <file> [--decrypt] [--at-revision=N]`, with the flags of the server. */
export function exportTo(file: string, given: readonly string[], context: CommandContext): Promise<number> {
  const purpose = { what: 'orch storage export', role: 'reader' } as const
  const { point, flags } = takePoint(given.filter(flag => flag !== decrypts))
  return context.host.withStore(flags, purpose, async opened => {
    const store = given.includes(decrypts) ? opened.store : opened.stored
    const isStandard = file === standardStream
    const progress = progressOf(context, 'Exported')
    const { count, revision } = isStandard
      ? await writeExport(store, createWriteStream('', { fd: standardOutput, autoClose: false }), progress, point)
      : await exportToFile(store, file, progress, undefined, point)
    const say = isStandard ? context.err : context.out
    say(`Exported ${count} objects as of revision ${revision}.\n`)
    return 0
  })
}

/** Separates the point from the other flags. */
function takePoint(given: readonly string[]): { readonly point: ExportPoint; readonly flags: readonly string[] } {
  const at = given.findIndex(flag => flag === pointFlag || flag.startsWith(`${pointFlag}=`))
  if (at < 0) return { point: {}, flags: given }
  const isOneWord = given[at] !== pointFlag
  const text = isOneWord ? given[at]!.slice(pointFlag.length + 1) : (given[at + 1] ?? '')
  if (!/^[1-9]\d{0,15}$/.test(text)) throw new StorageError('unavailable', `${pointFlag} needs a number`)
  return { point: { revision: Number(text) }, flags: given.toSpliced(at, isOneWord ? 1 : 2) }
}

/** `orch storage import <file>`, with the flags of the server. */
export function importFrom(file: string, flags: readonly string[], context: CommandContext): Promise<number> {
  const purpose = { what: 'orch storage import', role: 'maintenance', mayCreate: true } as const
  return context.host.withStore(flags, purpose, async ({ store }) => {
    if (file !== standardStream) await checkFile(file)
    // Standard input may be a socket that does not block, which a stream of files cannot read.
    const source = file === standardStream ? process.stdin : createReadStream(file)
    try {
      const { count, revision } = await importStore(store, await readExport(source), progressOf(context, 'Imported'))
      context.out(`Imported ${count} objects; revisions go on from ${revision}.\n`)
      return 0
    } finally {
      source.destroy()
      await finished(source).catch(() => {})
    }
  })
}

/** Reads a file to its end, so that nothing is written if it is corrupt or of a later version. */
async function checkFile(file: string): Promise<void> {
  if (!existsSync(file)) throw new StorageError('unavailable', `there is no export at ${file}`)
  const { records } = await readExport(createReadStream(file))
  for await (const record of records) checkRecord(record)
}
