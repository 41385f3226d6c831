import { writeSync } from 'node:fs'
import type { CommandLine } from './command-line.js'

/** The world of the binary. Working directory, environment, output and signals are taken from the process here and nowhere else. */
export function thisProcess(): Omit<CommandLine, 'words'> {
  // The store and its backups hold secrets: whatever this process writes is for its owner alone.
  process.umask(0o077)
  process.on('uncaughtException', endWith)
  return {
    workingDir: process.cwd(),
    environment: process.env,
    out: text => void process.stdout.write(text),
    err: text => void process.stderr.write(text),
    untilStopped: () =>
      new Promise(resolve => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) {
          process.on(signal, () => {
            resolve()
            // Whoever asks twice does not want to wait for requests in flight.
            process.once(signal, endAtOnce)
          })
        }
      }),
  }
}

/** An error that nobody caught, in a plugin most likely, leaves the process in a state that nobody knows. */
function endWith(error: unknown): void {
  writeSync(2, `orch: ended by an error that nobody caught: ${error instanceof Error ? error.stack : String(error)}\n`)
  endAtOnce()
}

/**
 * Node's own way out waits for the thread that commits, which waits for an answer from this one: the process would never
 * end. What was acknowledged is on disk, so the sudden end loses nothing.
 */
function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL')
}
