import type { builtInCommandNames } from '../boot/check-commands.js'
import type { OptionOwner } from '../boot/option-declarations.js'

/** What a command may touch of the outside world. Only this-process.ts fills it from the process. */
export interface CommandLine {
  /** Words after the name of the command. */
  readonly words: readonly string[]
  readonly workingDir: string
  readonly environment: Readonly<Record<string, string | undefined>>
  out(text: string): void
  err(text: string): void
  /** Resolves when the operator asks the process to end. */
  untilStopped(): Promise<void>
}

/** A built-in command: `orch <name> ...`. Resolves to the exit code. */
export interface Command {
  readonly name: (typeof builtInCommandNames)[number]
  /** How it is called, such as `storage stats|verify`. */
  readonly usage: string
  readonly summary: string
  /** Flags beside those of the kernel and the plugins. */
  readonly options?: OptionOwner
  run(line: CommandLine): Promise<number>
}
