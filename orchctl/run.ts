import { parseArguments } from './arguments/flags.js'
import { flagsOf } from './arguments/global-flags.js'
import { commands } from './commands/index.js'
import { exitCodes } from './exit-codes.js'
import { reportFailure } from './explain-failure.js'
import { findCommand, UnknownCommandError } from './find-command.js'
import { commandHelp, groupHelp, programHelp } from './help.js'
import { choosePainter, plainPainter } from './output/painter.js'
import { findPlugin } from './plugins/find-plugin.js'
import { runPlugin } from './plugins/run-plugin.js'
import { openSession, type Session } from './session/session.js'
import type { Terminal } from './terminal.js'
import { isUsageError } from './usage-error.js'

/** The environment of a run. */
export type ProcessEnv = Omit<Terminal, 'paint'> & { readonly version: string }

/** Runs one command line and returns its exit code. Errors have been printed by then. */
export async function run(argv: readonly string[], processEnv: ProcessEnv): Promise<number> {
  let terminal: Terminal = { ...processEnv, paint: plainPainter }
  let session: Promise<Session> | undefined
  try {
    const found = findCommand(argv, commands)
    if ('group' in found) {
      processEnv.write(found.group === '' ? programHelp(commands) : groupHelp(found.group, commands))
      return found.isRequested ? exitCodes.done : exitCodes.misused
    }
    const { command, rest } = found
    const { args, trailing, flags } = parseArguments(rest, flagsOf(command))
    const colorFlag = flags.choice('color', ['auto', 'always', 'never'])
    terminal = { ...processEnv, paint: choosePainter(colorFlag, processEnv.isTerminal, processEnv.environment) }
    if (flags.is('help')) {
      processEnv.write(commandHelp(command))
      return exitCodes.done
    }
    const open = () => (session ??= openSession(flags, terminal, processEnv.version))
    const code = await command.run({ args, trailing, flags, terminal, version: processEnv.version, session: open })
    if (terminal.signal.aborted) return exitCodes.interrupted
    const warnings = flags.is('warnings-as-errors') ? ((await session)?.warnings ?? 0) : 0
    if (warnings === 0) return typeof code === 'number' ? code : exitCodes.done
    throw new Error(`${warnings === 1 ? '1 warning' : `${warnings} warnings`} received`)
  } catch (error) {
    if (terminal.signal.aborted) return exitCodes.interrupted
    const plugin = error instanceof UnknownCommandError ? findPlugin(argv, terminal.environment) : undefined
    if (plugin) return runPlugin(plugin.path, plugin.args, terminal)
    if (!isUsageError(error) && terminal.environment['ORCHCTL_DEBUG']) terminal.log(String((error as Error).stack))
    return reportFailure(terminal, error)
  } finally {
    await session?.then(one => one.close()).catch(() => {})
  }
}
