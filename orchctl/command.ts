import type { FlagDefinition, Flags } from './arguments/flags.js'
import type { Session } from './session/session.js'
import type { Terminal } from './world.js'

/** One run of a command. */
export interface Call {
  /** What was typed after the name of the command, without flags. */
  readonly words: readonly string[]
  /** Those of the words that came after `--`: the command of a container. */
  readonly trailing: readonly string[]
  readonly flags: Flags
  readonly world: Terminal
  /** Of this program. */
  readonly version: string
  /** Connects on first use, so that help and config work without a server. */
  session(): Promise<Session>
}

/** A command. What it can do is data, so that help and completion never disagree with the parser. */
export interface Command {
  /** `get`, or two words: `config view`. */
  readonly name: string
  /** Other names, for hands that are used to them: `create cm`. */
  readonly aliases?: readonly string[]
  /** One line. */
  readonly summary: string
  /** What follows the name: `TYPE [NAME...]`. */
  readonly usage: string
  /** `[comment, command line after the program's name]`. */
  readonly examples: readonly (readonly [string, string])[]
  readonly flags: readonly FlagDefinition[]
  /** What the words stand for, for completion; types and names of objects when absent. */
  readonly completes?: 'objects' | 'types' | 'contexts' | 'nothing' | readonly string[]
  /** Not shown in help. */
  readonly hidden?: boolean
  /** Returns the exit code; nothing means success. */
  run(call: Call): Promise<number | void>
}
