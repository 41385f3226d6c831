import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { CommandContext } from 'orch/sdk'
import { StorageError } from 'orch/sdk/host'
import { exportToFile, writeExport } from './export-store.js'
import { importStore } from './import-store.js'
import { readExport } from './read-export.js'
import { progressOf } from './storage-figures.js'

/** Instead of a file: standard output or input. */
const standardStream = '-'
const standardInput = 0
const standardOutput = 1

/** What is encrypted leaves the store as it is, unless this is said. */
const decrypts = '--decrypt'

/** `orch storage export <file> [--decrypt]`, with the flags of the server. */
export function exportTo(file: string, given: readonly string[], context: CommandContext): Promise<number> {
  const purpose = { what: 'orch storage export', role: 'reader' } as const
  const flags = given.filter(flag => flag !== decrypts)
  return context.host.withStore(flags, purpose, async opened => {
    const store = given.includes(decrypts) ? opened.store : opened.stored
    const isStandard = file === standardStream
    const progress = progressOf(context, 'Exported')
    const { count, revision } = isStandard
      ? await writeExport(store, createWriteStream('', { fd: standardOutput, autoClose: false }), progress)
      : await exportToFile(store, file, progress)
    const say = isStandard ? context.err : context.out
    say(`Exported ${count} objects as of revision ${revision}.\n`)
    return 0
  })
}

/** `orch storage import <file>`, with the flags of the server. */
export function importFrom(file: string, flags: readonly string[], context: CommandContext): Promise<number> {
  const purpose = { what: 'orch storage import', role: 'maintenance', mayCreate: true } as const
  return context.host.withStore(flags, purpose, async ({ store }) => {
    if (file !== standardStream) await checkFile(file)
    const source =
      file === standardStream ? createReadStream('', { fd: standardInput, autoClose: false }) : createReadStream(file)
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

/** Reads a file to its end, so that nothing is written when it is damaged. */
async function checkFile(file: string): Promise<void> {
  if (!existsSync(file)) throw new StorageError('unavailable', `there is no export at ${file}`)
  const { records } = await readExport(createReadStream(file))
  for await (const _ of records);
}
