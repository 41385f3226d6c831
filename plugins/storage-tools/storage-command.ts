import type { CommandContext, CommandDefinition } from 'orch/sdk'
import type { RestorePoint, StoreMaintenance } from 'orch/sdk/host'
import { mebibytes, progressOn, rows, versionRows } from './storage-figures.js'

type ActionFlags = Readonly<Record<string, string | undefined>>

interface StorageAction {
  /** The required argument after the name of the action, if any. */
  readonly argument?: string
  /** Its own flags, apart from those that locate the store. */
  readonly flags?: readonly string[]
  run(maintenance: StoreMaintenance, argument: string, context: CommandContext, given: ActionFlags): Promise<number>
}

/** The actions that an engine with files implements itself. */
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
    flags: ['json'],
    async run(maintenance, target, context, { json }) {
      const result = await maintenance.backup(target, progressOn(context))
      const { file, bytes, revision, keys } = result
      const text = `Wrote ${file} and checked it: ${keys} keys at revision ${revision}, ${mebibytes(bytes)}.`
      context.out(`${json ? JSON.stringify(result) : text}\n`)
      return 0
    },
  },
  restore: {
    argument: 'the backup to restore',
    flags: ['to-revision', 'to-time'],
    async run(maintenance, backup, context, given) {
      const point = restorePoint(given)
      if (typeof point === 'string') return refuse(context, point)
      const { revision, restored, keys, replaced } = await maintenance.restore(backup, point, progressOn(context))
      context.out(`Restored ${keys} keys as of revision ${restored}; revisions go on from ${revision}.\n`)
      if (replaced !== undefined) context.out(`The store that was there is now ${replaced}.\n`)
      return 0
    },
  },
  compact: {
    async run(maintenance, _, { out }) {
      const { forgottenEntries, bytesBefore, bytesAfter } = await maintenance.compact()
      out(
        `Removed ${forgottenEntries} history entries; ${mebibytes(bytesBefore)} before, ${mebibytes(bytesAfter)} now.\n`,
      )
      return 0
    },
  },
}

/** Actions that load plugins and take the flags of the server: they need the types, or move data between engines. */
const pluginActions = ['export', 'import', 'migrate', 'upgrade']
const allActions = [...Object.keys(actions), ...pluginActions]

/** `orch storage ...`. Maintenance of the embedded store loads no plugins, so it works when the server does not start. */
export const storageCommand: CommandDefinition = {
  name: 'storage',
  usage: `storage ${allActions.join('|')} [file] [--data-dir]`,
  summary:
    'Show statistics of a store, verify, back up, restore, compact, export or import it, or migrate it to new storage versions.',
  async run(argv, context) {
    const [name = '', ...rest] = argv
    if (!allActions.includes(name)) return refuse(context, `storage needs one of ${allActions.join(', ')}`)
    if (name === 'migrate' || name === 'upgrade')
      return await (await import('./engine-storage.js'))[name](rest, context)
    if (pluginActions.includes(name)) return await move(name, rest, context)
    const action = actions[name]!
    const [argument] = action.argument ? rest : []
    if (action.argument && (argument === undefined || argument.startsWith('-'))) {
      return refuse(context, `storage ${name} needs ${action.argument}`)
    }
    const { given, others: flags } = takeFlags(action.flags ?? [], action.argument ? rest.slice(1) : rest)
    const { maintenance, engine } = await context.host.locateStore(flags)
    if (maintenance) return await action.run(maintenance, argument ?? '', context, given)
    if (given['to-revision'] ?? given['to-time'])
      return refuse(
        context,
        `storage restore can only restore the export itself; the engine ${engine} keeps no earlier points`,
      )
    return await throughEngine(name, argument ?? '', flags, context)
  },
}

/** Engines without files of their own: a backup is an export, and is restored by an import into an empty store. */
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

/** Separates the flags of an action from the others. */
function takeFlags(own: readonly string[], words: readonly string[]): { given: ActionFlags; others: string[] } {
  const given: Record<string, string> = {}
  const others: string[] = []
  for (let at = 0; at < words.length; at++) {
    const [flag = '', value] = (words[at] ?? '').split('=', 2)
    const name = flag.slice(2)
    if (!own.includes(name)) others.push(words[at]!)
    else if (name === 'json') given[name] = value ?? 'true'
    else given[name] = value ?? words[++at] ?? ''
  }
  return { given, others }
}

/** The point to restore, or an error message. */
function restorePoint(given: ActionFlags): RestorePoint | string {
  const { 'to-revision': revision, 'to-time': time } = given
  if (revision !== undefined && time !== undefined) return 'storage restore takes one of --to-revision and --to-time'
  if (revision !== undefined)
    return /^[1-9]\d{0,15}$/.test(revision) ? { revision: Number(revision) } : '--to-revision needs a number'
  if (time === undefined) return {}
  const at = Date.parse(time)
  return Number.isNaN(at) ? '--to-time needs a time such as 2026-11-16T10:30:00Z' : { time: at }
}

function refuse({ err }: CommandContext, why: string): number {
  err(`orch: ${why}. See orch help.\n`)
  return 2
}
