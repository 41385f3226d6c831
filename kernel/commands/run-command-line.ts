import { BootError, whyOf } from '../boot/boot-errors.js'
import { nearestName } from '../boot/nearest-name.js'
import { bootFromWords, bootOrThrow } from './boot-from-words.js'
import type { Command, CommandLine } from './command-line.js'
import { conformanceCommand } from './conformance.js'
import { controllersCommand } from './controllers.js'
import { flagHelp } from './flag-help.js'
import { newCommand } from './new.js'
import { pluginsCommand } from './plugins.js'
import { serveCommand } from './serve.js'
import { storageCommand } from './storage.js'
import { versionCommand } from './version.js'

/** Commands that read server flags, so that --help can list them. */
const commandsWithFlags: readonly Command[] = [serveCommand, controllersCommand, pluginsCommand]
const commands: readonly Command[] = [
  ...commandsWithFlags,
  storageCommand,
  newCommand,
  conformanceCommand,
  versionCommand,
]

const usageExitCode = 2

/** Runs `orch <command> ...` and resolves to the exit code. Whatever goes wrong ends in one line per problem. */
export async function runCommandLine(argv: readonly string[], world: Omit<CommandLine, 'words'>): Promise<number> {
  const [name = 'help', ...words] = argv
  const line: CommandLine = { ...world, words }
  try {
    if (['help', '--help', '-h'].includes(name)) return help(line)
    if (name === '--version') return await versionCommand.run(line)
    const command = commands.find(candidate => candidate.name === name)
    if (!command) return await runPluginCommand(name, line)
    if (words.includes('--help') || words.includes('-h')) return await helpOf(command, line)
    return await command.run(line)
  } catch (thrown) {
    return report(thrown, line)
  }
}

function help(line: CommandLine): number {
  const commandColumn = Math.max(...commands.map(({ usage }) => usage.length)) + 2
  const rows = commands.map(command => `  ${command.usage.padEnd(commandColumn)}${command.summary}`)
  line.out(
    `Usage: orch <command> [flags]\n\n${rows.join('\n')}\n  ${'help'.padEnd(commandColumn)}Show this.\n\nFlags: orch serve --help\n`,
  )
  return 0
}

async function helpOf(command: Command, line: CommandLine): Promise<number> {
  line.out(`Usage: orch ${command.usage}\n\n${command.summary}\n`)
  if (!commandsWithFlags.includes(command)) return 0
  // Help is what one needs most when something is wrong, so problems are shown after it and do not fail it.
  const words = line.words.filter(word => word !== '--help' && word !== '-h')
  const booted = await bootFromWords(line, words, command.options)
  line.out(`\n${flagHelp(booted.declarations)}\n`)
  if (booted.problems.length > 0) report(new BootError(booted.problems), line)
  return 0
}

/** A command that a plugin brings gets its words as they are. */
async function runPluginCommand(name: string, line: CommandLine): Promise<number> {
  if (name.startsWith('-')) {
    line.err(`orch: a command must come before flags: orch serve ${name} ... See orch help.\n`)
    return usageExitCode
  }
  const { registry } = await bootOrThrow(line, configWords(line.words))
  const found = registry.commands.find(({ definition }) => definition.name === name)
  if (found) return await found.definition.run(line.words, { out: line.out, err: line.err })
  const known = [...commands.map(c => c.name), ...registry.commands.map(c => c.definition.name), 'help']
  const nearest = nearestName(name, known)
  line.err(`orch: there is no command "${name}"${nearest ? `, did you mean "${nearest}"?` : '.'} See orch help.\n`)
  return usageExitCode
}

/** Of a plugin command's words only --config means something to us. */
function configWords(words: readonly string[]): string[] {
  const at = words.findIndex(word => word === '--config' || word.startsWith('--config='))
  if (at < 0) return []
  return words.slice(at, words[at] === '--config' ? at + 2 : at + 1)
}

/** What to do about it, where that is not obvious. */
const remedyFor = (thrown: unknown): string =>
  (thrown as NodeJS.ErrnoException).code === 'EADDRINUSE'
    ? '. Stop the server that runs there, or choose another port: --secure-port 0 takes a free one'
    : ''

function report(thrown: unknown, line: CommandLine): number {
  if (!(thrown instanceof BootError)) {
    line.err(`orch: ${whyOf(thrown)}${remedyFor(thrown)}\n`)
    return 1
  }
  for (const { code, message } of thrown.problems) line.err(`orch: ${message} (${code})\n`)
  return thrown.exitCode
}
