import { parseArguments } from './arguments/flags.js'
import { flagsOf } from './arguments/global-flags.js'
import { commands } from './commands/index.js'
import { exitCodes } from './exit-codes.js'
import { tellFailure } from './explain-failure.js'
import { findCommand } from './find-command.js'
import { commandHelp, groupHelp, programHelp } from './help.js'
import { choosePainter, plainPainter } from './output/painter.js'
import { openSession, type Session } from './session/session.js'
import { UsageError } from './usage-error.js'
import type { Terminal } from './world.js'

/** The process around a run. */
export type ProcessEnv = Omit<Terminal, 'paint'> & { readonly version: string }

/** Runs one command line and returns its exit code. Every failure has been told by then. */
export async function run(argv: readonly string[], around: ProcessEnv): Promise<number> {
  let world: Terminal = { ...around, paint: plainPainter }
  let session: Promise<Session> | undefined
  try {
    const found = findCommand(argv, commands)
    if ('group' in found) {
      around.write(found.group === '' ? programHelp(commands) : groupHelp(found.group, commands))
      return found.isAsked ? exitCodes.done : exitCodes.misused
    }
    const { command, rest } = found
    const { words, trailing, flags } = parseArguments(rest, flagsOf(command))
    const wish = flags.choice('color', ['auto', 'always', 'never'])
    world = { ...around, paint: choosePainter(wish, around.isTerminal, around.environment) }
    if (flags.is('help')) {
      around.write(commandHelp(command))
      return exitCodes.done
    }
    const open = () => (session ??= openSession(flags, world, around.version))
    const code = await command.run({ words, trailing, flags, world, version: around.version, session: open })
    return world.signal.aborted ? exitCodes.interrupted : (code ?? exitCodes.done)
  } catch (error) {
    if (world.signal.aborted) return exitCodes.interrupted
    if (!(error instanceof UsageError) && world.environment['ORCHCTL_DEBUG']) world.tell(String((error as Error).stack))
    return tellFailure(world, error)
  } finally {
    await session?.then(one => one.close()).catch(() => {})
  }
}
