import type { CommandLine } from './command-line.js'

/** The world of the binary. Working directory, environment, output and signals are taken from the process here and nowhere else. */
export function thisProcess(): Omit<CommandLine, 'words'> {
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
            process.once(signal, () => process.exit(1))
          })
        }
      }),
  }
}
