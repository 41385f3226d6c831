import type { ChildProcess } from 'node:child_process'
import type { OptionOwner } from '../options/option-declarations.js'

/** A command's access to its environment. Only this-process.ts creates it from the process. */
export interface CommandLine {
  /** Arguments after the name of the command. */
  readonly words: readonly string[]
  readonly workingDir: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Whether the log goes to a terminal. */
  readonly isTerminal: boolean
  /** Prompts the user at the terminal; undefined if there is no terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined
  out(text: string): void
  err(text: string): void
  /** Unhandled rejections go to the listener instead of ending the process. An error that it throws still ends it. */
  onUnhandledRejection(listener: (reason: unknown) => void): void
  /** The command line of this program: the executable, its options and the file that it runs. */
  readonly program: readonly string[]
  /** Starts this program in another process. Its output is piped or inherited; it may exchange messages with this one. */
  runAgain(argv: readonly string[], output: 'pipe' | 'inherit', talk?: 'talk'): ChildProcess
  /** Replies to messages of the parent process; undefined if it does not send any. */
  readonly answerParent?: ((answer: (message: unknown) => Promise<unknown>) => void) | undefined
  /** Resolves to the name of the signal that stops the process. */
  untilStopped(): Promise<string>
}

/** A command of the binary: `orch <name> ...`. Resolves to the exit code. */
export interface Command {
  readonly name: string
  /** Its usage, such as `storage stats|verify`. */
  readonly usage: string
  readonly summary: string
  /** Flags in addition to those of the kernel and the plugins. */
  readonly options?: OptionOwner
  run(line: CommandLine): Promise<number>
}
