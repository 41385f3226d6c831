import type { ChildProcess } from 'node:child_process'
import type { OptionOwner } from '../options/option-declarations.js'

/** What a command may touch outside itself. Only this-process.ts fills it from the process. */
export interface CommandLine {
  /** Words after the name of the command. */
  readonly words: readonly string[]
  readonly workingDir: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Does a person read what is logged? */
  readonly isTerminal: boolean
  out(text: string): void
  err(text: string): void
  /** Rejections that nobody handles go to the listener instead of ending the process. What it throws still ends it. */
  onUnhandledRejection(listener: (reason: unknown) => void): void
  /** The words that start this program: the executable, its options and the file that it runs. */
  readonly program: readonly string[]
  /** Starts this program in another process. Its output comes through a pipe, or goes where ours goes. */
  runAgain(argv: readonly string[], output: 'pipe' | 'inherit'): ChildProcess
  /** Resolves when the operator asks the process to end, with what asked: the name of a signal. */
  untilStopped(): Promise<string>
}

/** A command of the binary: `orch <name> ...`. Resolves to the exit code. */
export interface Command {
  readonly name: string
  /** How it is called, such as `storage stats|verify`. */
  readonly usage: string
  readonly summary: string
  /** Flags beside those of the kernel and the plugins. */
  readonly options?: OptionOwner
  run(line: CommandLine): Promise<number>
}
