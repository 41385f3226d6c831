import type { FlagDefinition, Flags } from './arguments/flags.js'
import type { Session } from './session/session.js'
import type { Terminal } from './terminal.js'

/** One run of a command. */
export interface Call {
  /** The positional arguments after the name of the command. */
  readonly args: readonly string[]
  /** The arguments after `--`: the command of a container. */
  readonly trailing: readonly string[]
  readonly flags: Flags
  readonly terminal: Terminal
  /** The version of this program. */
  readonly version: string
  /** Connects on first use, so that help and config work without a server. */
  session(): Promise<Session>
}

/** A command. Its flags and arguments are data, from which help, completion and the parser are derived. */
export interface Command {
  /** `get`, or two words: `config view`. */
  readonly name: string
  /** Alternative names: `create cm`. */
  readonly aliases?: readonly string[]
  /** One line. */
  readonly summary: string
  /** What follows the name: `TYPE [NAME...]`. */
  readonly usage: string
  /** `[comment, command line after the program's name]`. */
  readonly examples: readonly (readonly [string, string])[]
  readonly flags: readonly FlagDefinition[]
  /** What the arguments are, for completion. Types and names of objects by default. */
  readonly completes?: 'objects' | 'types' | 'contexts' | 'nodes' | 'pods' | 'nothing' | readonly string[]
  /** Not shown in help. */
  readonly hidden?: boolean
  /** Returns the exit code; nothing means success. */
  run(call: Call): Promise<number | void>
}
