import type { Painter } from './output/painter.js'

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
  /** Reads all of standard input. */
  readInput(): Promise<string>
}
