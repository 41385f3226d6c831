import type { Painter } from './output/painter.js'

/** All that a command touches of the process it runs in. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly paint: Painter
  /** Is standard output a terminal? Then progress may overwrite itself. */
  readonly isTerminal: boolean
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal
  /** Results, to standard output. */
  write(text: string): void
  /** One line about the work, to standard error. */
  tell(line: string): void
  /** Replaces the last such line of standard error; only there when that is a terminal. */
  overwrite?(line: string): void
  /** All of standard input. */
  readInput(): Promise<string>
}
