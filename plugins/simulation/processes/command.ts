import type { Readable, Writable } from 'node:stream'
import type { FileTree } from './file-tree.js'
import type { Pace } from './pace.js'

/** The streams, files and environment of a command. */
export interface CommandWorld {
  readonly input: Readable
  readonly output: Writable
  readonly error: Writable
  readonly files: FileTree
  readonly environment: Readonly<Record<string, string>>
  readonly pace: Pace
  /** Aborted to end the command. */
  readonly signal: AbortSignal
  /** Prompts for the next line, if there is a terminal. */
  readonly prompt?: (() => void) | undefined
}

/** The exit code of a process that was killed. */
export const killedExitCode = 137

/** Returns the exit code. */
export type Command = (words: readonly string[], world: CommandWorld) => Promise<number>

/** Writes with backpressure. A closed stream discards everything. */
export function write(stream: Writable, data: Buffer | string): Promise<void> {
  return new Promise(resolve => {
    if (stream.destroyed || stream.writableEnded) return resolve()
    if (stream.write(data)) return resolve()
    const done = () => {
      stream.off('drain', done).off('close', done)
      resolve()
    }
    stream.on('drain', done).on('close', done)
  })
}

/** Copies until the input ends. */
export async function copy(input: Readable, output: Writable): Promise<void> {
  for await (const chunk of input) await write(output, chunk)
}

/** Waits until the time is over or the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}
