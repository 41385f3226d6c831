/** Maintenance of a store through its engine. Loads plugins, which provide engines and types. */
import type { CommandContext } from 'orch/sdk'
import { mebibytes, progressOf, rows, versionRows } from './storage-figures.js'
import { verifyObjects } from './verify-objects.js'

/** `orch storage migrate`: rewrites every object in the storage version of its type. */
export const migrate = (flags: readonly string[], context: CommandContext): Promise<number> =>
  context.host.withStore(flags, { what: 'orch storage migrate', role: 'maintenance' }, async opened => {
    const { count, left } = await opened.migrate(progressOf(context, 'Migrated'))
    context.out(`Migrated ${count} objects to the storage versions of their types.\n`)
    if (left === 0) return 0
    context.err(
      `orch: ${left} objects were written in other versions meanwhile: run it again when all servers are of one version\n`,
    )
    return 1
  })

const dryRun = '--dry-run'

/** `orch storage upgrade`: lists outdated objects, and rewrites them unless it is a dry run. */
export function upgrade(words: readonly string[], context: CommandContext): Promise<number> {
  const flags = words.filter(word => word !== dryRun)
  const isOnlyAsked = flags.length < words.length
  const role = isOnlyAsked ? 'reader' : 'maintenance'
  return context.host.withStore(flags, { what: 'orch storage upgrade', role }, async opened => {
    const { format, outdated } = await opened.plan()
    const isCurrent = format.stored === format.current && outdated.length === 0
    context.out(rows({ 'format of the store': format.stored, 'of this version': format.current }))
    for (const { resource, count, to } of outdated) context.out(`  ${resource}: ${count} objects to rewrite as ${to}\n`)
    if (isCurrent) context.out('The store is up to date.\n')
    else if (isOnlyAsked) context.out('Nothing was changed. Back the store up, then run it without --dry-run.\n')
    if (isOnlyAsked || isCurrent) return 0
    const { count, left } = await opened.migrate(progressOf(context, 'Upgraded'))
    context.out(`Upgraded the store to format ${format.current}; rewrote ${count} objects.\n`)
    if (left > 0) context.err(`orch: ${left} objects were written in other versions meanwhile: run it again\n`)
    return left > 0 ? 1 : 0
  })
}

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
    out(`Removed the history before revision ${revision}. Use the tools of the engine to release disk space.\n`)
    return 0
  })
