import type { CommandContext, CommandDefinition } from 'orch/sdk'
import type { StoreMaintenance } from 'orch/sdk/host'
import { mebibytes, rows, versionRows } from './storage-figures.js'

interface StorageAction {
  /** What must follow the name of the action, if anything. */
  readonly argument?: string
  run(maintenance: StoreMaintenance, argument: string, context: CommandContext): Promise<number>
}

/** What an engine that keeps files does to them itself. */
const actions: Readonly<Record<string, StorageAction>> = {
  stats: {
    async run(maintenance, _, { out }) {
      const stats = await maintenance.stats()
      out(
        rows({
          path: stats.path,
          revision: stats.revision,
          'compacted revision': stats.compactedRevision,
          keys: stats.keys,
          'history entries': stats.historyEntries,
          'file size': mebibytes(stats.fileBytes),
          'in use': mebibytes(stats.usedBytes),
          'open in processes': stats.processes.join(', ') || 'none',
        }),
      )
      out(versionRows(stats.versions))
      return 0
    },
  },
  verify: {
    async run(maintenance, _, { out, err }) {
      const { isSound, problems, keys, revision } = await maintenance.verify()
      if (isSound) out(`The store is sound: ${keys} keys at revision ${revision}.\n`)
      else for (const problem of problems) err(`orch: ${problem}\n`)
      return isSound ? 0 : 1
    },
  },
  backup: {
    argument: 'a file or folder to write the backup to',
    async run(maintenance, target, { out }) {
      const { file, bytes, revision, keys } = await maintenance.backup(target)
      out(`Wrote ${file}: ${keys} keys at revision ${revision}, ${mebibytes(bytes)}.\n`)
      return 0
    },
  },
  restore: {
    argument: 'the backup to restore',
    async run(maintenance, backup, { out }) {
      const { revision, keys, replaced } = await maintenance.restore(backup)
      out(`Restored ${keys} keys; revisions go on from ${revision}.\n`)
      if (replaced !== undefined) out(`The store that was there is now ${replaced}.\n`)
      return 0
    },
  },
  compact: {
    async run(maintenance, _, { out }) {
      const { forgottenEntries, bytesBefore, bytesAfter } = await maintenance.compact()
      out(
        `Forgot ${forgottenEntries} history entries; ${mebibytes(bytesBefore)} before, ${mebibytes(bytesAfter)} now.\n`,
      )
      return 0
    },
  },
}

/** Actions that load plugins and take the flags of the server: they need to know the types, or move between engines. */
const pluginActions = ['export', 'import', 'migrate']
const allActions = [...Object.keys(actions), ...pluginActions]

/** `orch storage ...`. What cares for the embedded store loads no plugin, so it works when the server does not start. */
export const storageCommand: CommandDefinition = {
  name: 'storage',
  usage: `storage ${allActions.join('|')} [file] [--data-dir]`,
  summary: 'Look at, check, save, bring back or shrink a store; move it; write it in new storage versions.',
  async run(argv, context) {
    const [name = '', ...rest] = argv
    if (!allActions.includes(name)) return refuse(context, `storage needs one of ${allActions.join(', ')}`)
    if (name === 'migrate') return await (await import('./engine-storage.js')).migrate(rest, context)
    if (pluginActions.includes(name)) return await move(name, rest, context)
    const action = actions[name]!
    const [argument] = action.argument ? rest : []
    if (action.argument && (argument === undefined || argument.startsWith('-'))) {
      return refuse(context, `storage ${name} needs ${action.argument}`)
    }
    const flags = action.argument ? rest.slice(1) : rest
    const { maintenance } = await context.host.locateStore(flags)
    if (!maintenance) return await throughEngine(name, argument ?? '', flags, context)
    return await action.run(maintenance, argument ?? '', context)
  },
}

/** Other engines keep their own files: a backup is an export, and brought back into an empty store. */
async function throughEngine(
  name: string,
  file: string,
  flags: readonly string[],
  context: CommandContext,
): Promise<number> {
  if (name === 'backup') return await move('export', [file, ...flags], context)
  if (name === 'restore') return await move('import', [file, ...flags], context)
  const engine = await import('./engine-storage.js')
  return await engine[name as 'stats' | 'verify' | 'compact'](flags, context)
}

async function move(name: string, [file = '', ...flags]: readonly string[], context: CommandContext): Promise<number> {
  if (file === '' || file.startsWith('--')) return refuse(context, `storage ${name} needs a file, or - for a pipe`)
  const { exportTo, importFrom } = await import('./move-storage.js')
  return await (name === 'export' ? exportTo : importFrom)(file, flags, context)
}

function refuse({ err }: CommandContext, why: string): number {
  err(`orch: ${why}. See orch help.\n`)
  return 2
}
