/** Care for a store through its engine, whichever that is. Loads plugins, which bring engines and types. */
import type { CommandContext } from 'orch/sdk'
import type { Progress } from './export-store.js'
import { mebibytes, rows, versionRows } from './storage-figures.js'
import { verifyObjects } from './verify-objects.js'

const progressEveryMs = 2000

export function progressOn({ err }: CommandContext, what: string): Progress {
  let next = Date.now() + progressEveryMs
  return (done, all) => {
    if (Date.now() < next) return
    next = Date.now() + progressEveryMs
    err(`${what} ${done} of ${all} objects\n`)
  }
}

/** `orch storage migrate`: every object in the storage version of its type. */
export const migrate = (flags: readonly string[], context: CommandContext): Promise<number> =>
  context.host.withStore(flags, { what: 'orch storage migrate', role: 'maintenance' }, async opened => {
    const { count, left } = await opened.migrate(progressOn(context, 'Migrated'))
    context.out(`Migrated ${count} objects to the storage versions of their types.\n`)
    if (left === 0) return 0
    context.err(
      `orch: ${left} objects were written in other versions meanwhile: run it again when all servers are of one version\n`,
    )
    return 1
  })

/** `orch storage stats` of an engine that is not embedded. */
export const stats = (flags: readonly string[], { host, out }: CommandContext): Promise<number> =>
  host.withStore(flags, { what: 'orch storage stats', role: 'reader' }, async opened => {
    const { revision, compactedRevision, keys, historyEntries, sizeBytes } = await opened.store.stats()
    out(
      rows({
        engine: opened.engine,
        revision,
        'compacted revision': compactedRevision,
        keys,
        'history entries': historyEntries,
        size: mebibytes(sizeBytes),
      }),
    )
    out(versionRows(await opened.versionCounts()))
    return 0
  })

export const verify = (flags: readonly string[], { host, out, err }: CommandContext): Promise<number> =>
  host.withStore(flags, { what: 'orch storage verify', role: 'reader' }, async ({ store }) => {
    const { problems, keys, revision } = await verifyObjects(store)
    for (const problem of problems) err(`orch: ${problem}\n`)
    if (problems.length > 0) return 1
    out(`The store is sound: ${keys} keys at revision ${revision}.\n`)
    return 0
  })

export const compact = (flags: readonly string[], { host, out }: CommandContext): Promise<number> =>
  host.withStore(flags, { what: 'orch storage compact', role: 'maintenance' }, async ({ store }) => {
    const revision = await store.latestRevision()
    await store.compact(revision)
    out(`Forgot the history before revision ${revision}. Giving the space back is up to the engine's own tools.\n`)
    return 0
  })
