#!/usr/bin/env node
import 'reflect-metadata'
import { runCommandLine } from './commands/run-command-line.js'

// The store and its backups hold secrets: whatever this process writes is for its owner alone.
process.umask(0o077)

/** The binary. Arguments, working directory, environment and signals are read here and nowhere else. */
process.exitCode = await runCommandLine(process.argv.slice(2), {
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
})
