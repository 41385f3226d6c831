import type { Readable, Writable } from 'node:stream'
import type { Painter } from './output/painter.js'

/** Standard input, output and error. */
export interface TerminalStreams {
  readonly input: Readable & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown }
  readonly output: Writable & { readonly columns?: number; readonly rows?: number }
  readonly error: Writable
}

/** A command's access to the process that it runs in. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly paint: Painter
  /** Whether standard output is a terminal, so that progress can be overwritten. */
  readonly isTerminal: boolean
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal
  /** Writes results to standard output. */
  write(text: string): void
  /** Writes a line to standard error. */
  log(line: string): void
  /** Replaces the last line of standard error. Defined only if that is a terminal. */
  overwrite?(line: string): void
  /** The streams of the process, for commands that run in containers. */
  streams(): TerminalStreams
  /** Reads a line of standard input: the answer to a question. */
  readLine(): Promise<string>
  /** Reads all of standard input. */
  readInput(): Promise<string>
}
