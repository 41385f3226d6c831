import { BootError } from '../contracts/boot-errors.js'
import { nearestName } from '../contracts/nearest-name.js'
import type { Registry } from '../registry/registry.js'
import { bootFromArgv, bootOrThrow } from './boot-from-argv.js'
import { certsCommand } from './certs.js'
import { contextOf } from './command-host.js'
import type { Command, CommandLine } from './command-line.js'
import { controllersCommand } from './controllers.js'
import { flagHelp } from './flag-help.js'
import { lineWidth, twoColumns, wrapped } from './help-text.js'
import { ownCommands } from './own-commands.js'
import { pluginsCommand } from './plugins.js'
import { report } from './report-failure.js'
import { serveCommand } from './serve.js'
import { versionCommand } from './version.js'

/** Commands that read server flags, so that --help can list them. */
const commandsWithFlags: readonly Command[] = [serveCommand, controllersCommand, pluginsCommand]
/** Commands of the kernel. */
const commands: readonly Command[] = [...commandsWithFlags, certsCommand, versionCommand]

const usageExitCode = 2

/** Runs `orch <command> ...` and resolves to the exit code. Every problem is printed in one line. */
export async function runCommandLine(argv: readonly string[], terminal: Omit<CommandLine, 'words'>): Promise<number> {
  const [name = 'help', ...words] = argv
  const line: CommandLine = { ...terminal, words }
  try {
    if (['help', '--help', '-h'].includes(name)) return await help(line)
    if (name === '--version') return await versionCommand.run(line)
    const own = commands.find(candidate => candidate.name === name)
    const found = own ? { command: own, words } : await ownCommand(argv)
    if (!found) return await runPluginCommand(name, line)
    const { command } = found
    const asked = { ...line, words: found.words }
    if (words.includes('--help') || words.includes('-h')) return await helpOf(command, asked)
    return await command.run(asked)
  } catch (thrown) {
    return report(thrown, line)
  }
}

/** A command of a plugin that is built into the binary, and its arguments. */
async function ownCommand(
  argv: readonly string[],
): Promise<{ command: Command; words: readonly string[] } | undefined> {
  const found = longestMatch(await ownCommands(), argv)
  if (!found) return undefined
  const { definition } = found
  const command: Command = {
    ...definition,
    usage: definition.usage ?? definition.name,
    run: line => definition.run(line.words, contextOf(line)),
  }
  return { command, words: argv.slice(wordsOf(definition).length) }
}

const wordsOf = ({ name }: { readonly name: string }): string[] => name.split(' ')

/** The command with the longest name that the arguments start with. */
function longestMatch(all: Registry['commands'], argv: readonly string[]): Registry['commands'][number] | undefined {
  return all
    .filter(({ definition }) => wordsOf(definition).every((word, at) => argv[at] === word))
    .toSorted((one, other) => wordsOf(other.definition).length - wordsOf(one.definition).length)[0]
}

const commandColumn = 16

/** `orch help`, or `orch help COMMAND`, which is `orch COMMAND --help`. */
async function help(line: CommandLine): Promise<number> {
  const [name, ...words] = line.words.filter(word => !word.startsWith('-'))
  if (name !== undefined && name !== 'help') {
    const own = commands.find(candidate => candidate.name === name)
    const found = own ? { command: own, words } : await ownCommand([name, ...words])
    return found ? helpOf(found.command, { ...line, words: found.words }) : helpOfPluginCommand([name, ...words], line)
  }
  const all = [...commands, ...(await ownCommands()).map(({ definition }) => definition)]
  const rows = [...all.map(({ name, summary }) => [`  ${name}`, summary] as const), helpRow]
  const lines = ['Usage: orch <command> [flags]', '', ...twoColumns(rows, commandColumn), '', 'Flags: orch help serve']
  line.out(`${lines.join('\n')}\n`)
  return 0
}
const helpRow = ['  help', 'Show this, or the help of a command: orch help serve.'] as const

async function helpOfPluginCommand(words: readonly string[], line: CommandLine): Promise<number> {
  const { registry } = await bootOrThrow(line, configWords(line.words))
  const found = longestMatch(registry.commands, words)
  if (!found) return rejectUnknown(words[0] ?? '', registry, line)
  line.out(
    `Usage: orch ${found.definition.usage ?? `${found.definition.name} ...`}\n\n${found.definition.summary} A command of plugin "${found.plugin}".\n`,
  )
  return 0
}

async function helpOf(command: Command, line: CommandLine): Promise<number> {
  const usage = wrapped(`Usage: orch ${command.usage}`, lineWidth).join('\n    ')
  line.out(`${usage}\n\n${wrapped(command.summary, lineWidth).join('\n')}\n`)
  if (!commandsWithFlags.includes(command)) return 0
  // Help is needed most when something is wrong, so problems are shown after it and do not make it fail.
  const words = line.words.filter(word => word !== '--help' && word !== '-h')
  const booted = await bootFromArgv(line, words, command.options)
  line.out(`\n${flagHelp(booted.declarations)}\n`)
  if (booted.problems.length > 0) report(new BootError(booted.problems), line)
  return 0
}

/** A command of a plugin gets its arguments unchanged. */
async function runPluginCommand(name: string, line: CommandLine): Promise<number> {
  if (name.startsWith('-')) {
    line.err(`orch: a command must come before flags: orch serve ${name} ... See orch help.\n`)
    return usageExitCode
  }
  const { registry } = await bootOrThrow(line, configWords(line.words))
  const found = longestMatch(registry.commands, [name, ...line.words])
  if (found) {
    const words = line.words.slice(wordsOf(found.definition).length - 1)
    return await found.definition.run(words, contextOf(line))
  }
  return await rejectUnknown(name, registry, line)
}

async function rejectUnknown(name: string, registry: Registry, line: CommandLine): Promise<number> {
  const ofPlugins = [...(await ownCommands()), ...registry.commands].map(({ definition }) => definition.name)
  const known = [...commands.map(c => c.name), ...ofPlugins, 'help']
  const nearest = nearestName(name, known)
  line.err(`orch: there is no command "${name}"${nearest ? `, did you mean "${nearest}"?` : '.'} See orch help.\n`)
  return usageExitCode
}

/** Of the arguments of a plugin's command only --config is evaluated here. */
function configWords(words: readonly string[]): string[] {
  const at = words.findIndex(word => word === '--config' || word.startsWith('--config='))
  if (at < 0) return []
  return words.slice(at, words[at] === '--config' ? at + 2 : at + 1)
}
