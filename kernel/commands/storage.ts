import { BootError } from '../boot/boot-errors.js'
import { KernelOptions, kernelName } from '../boot/kernel-options.js'
import { loadConfig } from '../boot/load-config.js'
import { declareOptions } from '../boot/option-declarations.js'
import { parseFlags } from '../boot/parse-flags.js'
import { optionsFor } from '../boot/plugin-options.js'
import type { Command, CommandLine } from './command-line.js'

type Maintenance = typeof import('../storage/maintenance.js')
interface StorageAction {
  /** What must follow the name of the action, if anything. */
  readonly argument?: string
  run(maintenance: Maintenance, dataDir: string, argument: string, line: CommandLine): Promise<number>
}

const mebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`
const rows = (values: Record<string, string | number>): string =>
  Object.entries(values)
    .map(([title, value]) => `${title.padEnd(20)}${value}\n`)
    .join('')

const actions: Readonly<Record<string, StorageAction>> = {
  stats: {
    async run(maintenance, dataDir, _, line) {
      const stats = await maintenance.storageStats(dataDir)
      line.out(
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
      return 0
    },
  },
  verify: {
    async run(maintenance, dataDir, _, line) {
      const { isSound, problems, keys, revision } = await maintenance.verifyStore(dataDir)
      if (isSound) line.out(`The store is sound: ${keys} keys at revision ${revision}.\n`)
      else for (const problem of problems) line.err(`orch: ${problem}\n`)
      return isSound ? 0 : 1
    },
  },
  backup: {
    argument: 'a file or folder to write the backup to',
    async run(maintenance, dataDir, target, line) {
      const { file, bytes, revision, keys } = await maintenance.backupStore(dataDir, target)
      line.out(`Wrote ${file}: ${keys} keys at revision ${revision}, ${mebibytes(bytes)}.\n`)
      return 0
    },
  },
  restore: {
    argument: 'the backup to restore',
    async run(maintenance, dataDir, backup, line) {
      const { revision, keys, replaced } = await maintenance.restoreStore(dataDir, backup)
      line.out(`Restored ${keys} keys; revisions go on from ${revision}.\n`)
      if (replaced !== undefined) line.out(`The store that was there is now ${replaced}.\n`)
      return 0
    },
  },
  compact: {
    async run(maintenance, dataDir, _, line) {
      const { forgottenEntries, bytesBefore, bytesAfter, isShrunk } = await maintenance.compactStore(dataDir)
      line.out(
        `Forgot ${forgottenEntries} history entries; ${mebibytes(bytesBefore)} before, ${mebibytes(bytesAfter)} now.\n`,
      )
      if (!isShrunk) line.out('The file keeps its size because another process has it open.\n')
      return 0
    },
  },
}

/** Actions on the store of any engine, so they load plugins and take the flags of the server. */
const movingActions = ['export', 'import']

/** `orch storage ...`: care for the embedded store. Apart from moving it loads no plugin, so it works when the server does not start. */
export const storageCommand: Command = {
  name: 'storage',
  usage: `storage ${[...Object.keys(actions), ...movingActions].join('|')} [file] [--data-dir]`,
  summary: 'Look at, check, save, bring back or shrink the embedded store; move any.',
  async run(line) {
    const [name = '', ...rest] = line.words
    if (movingActions.includes(name)) return await move(name, rest, line)
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (!action) return refuse(line, `storage needs one of ${[...Object.keys(actions), ...movingActions].join(', ')}`)
    const [argument] = action.argument ? rest : []
    if (action.argument && (argument === undefined || argument.startsWith('-'))) {
      return refuse(line, `storage ${name} needs ${action.argument}`)
    }
    const dataDir = await dataDirOf(action.argument ? rest.slice(1) : rest, line.workingDir)
    return await action.run(await import('../storage/maintenance.js'), dataDir, argument ?? '', line)
  },
}

async function move(name: string, [file = '', ...flags]: readonly string[], line: CommandLine): Promise<number> {
  if (file === '' || file.startsWith('--')) return refuse(line, `storage ${name} needs a file, or - for a pipe`)
  const { exportTo, importFrom } = await import('./move-storage.js')
  return await (name === 'export' ? exportTo : importFrom)(file, flags, line)
}

function refuse(line: CommandLine, why: string): number {
  line.err(`orch: ${why}. See orch help.\n`)
  return 2
}

/** The data folder of --data-dir or, without it, of the config. */
async function dataDirOf(words: readonly string[], workingDir: string): Promise<string> {
  const owner = { name: kernelName, options: KernelOptions }
  const wanted = [...declareOptions([owner]).declarations.values()].filter(d => ['config', 'dataDir'].includes(d.key))
  const { values: flags, problems } = parseFlags(words, wanted)
  if (problems.length > 0) throw new BootError(problems)
  const { config } = flags.has('dataDir')
    ? { config: {} }
    : await loadConfig(flags.get('config') as string | undefined, workingDir)
  const { dataDir } = config as { dataDir?: unknown }
  const checked = optionsFor(owner, { given: {}, config: { dataDir }, flags })
  if (checked.problems.length > 0) throw new BootError(checked.problems)
  return (checked.options as KernelOptions).dataDir
}
