import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import { withSourcePositions } from '../observe/source-positions.js'
import type { CommandLine } from './command-line.js'
import { runCommandLine } from './run-command-line.js'

/** How long the process may live after its command has completed. */
const lingerMs = 2_000
const parentPollMs = 500

/** Runs the command line of this process and exits, whatever plugins have left open. */
export async function runBinary(): Promise<void> {
  process.exitCode = await runCommandLine(process.argv.slice(2), thisProcess())
  // It does not keep the process alive by itself.
  setTimeout(() => {
    process.stderr.write(`orch: exited although plugins have left resources open: ${openResources()}\n`)
    process.exit()
  }, lingerMs).unref()
}

/** What keeps this process alive, apart from its standard streams. */
function openResources(): string {
  const kinds = process.getActiveResourcesInfo().filter(kind => !['PipeWrap', 'TTYWrap'].includes(kind))
  return [...new Set(kinds)].map(kind => `${kinds.filter(each => each === kind).length} ${kind}`).join(', ')
}

/** The environment of the binary. Only this file reads working directory, environment, output and signals from the process. */
function thisProcess(): Omit<CommandLine, 'words'> {
  // The store and its backups contain secrets, so files are readable only by their owner.
  process.umask(0o077)
  process.on('uncaughtException', endWith)
  let isServer = false
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', error => {
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
      // A closed pipe (`| head`) is not an error. A server continues without it.
      if (!isServer) process.exit()
    })
  const program = [process.execPath, ...process.execArgv, process.argv[1]!]
  return {
    workingDir: process.cwd(),
    environment: process.env,
    isTerminal: process.stderr.isTTY === true,
    out: text => void process.stdout.write(text),
    err: text => void process.stderr.write(text),
    onUnhandledRejection: listener => void process.on('unhandledRejection', listener),
    program,
    runAgain: (argv, output) =>
      spawn(program[0]!, [...program.slice(1), ...argv], { stdio: ['ignore', output, output] }),
    untilStopped() {
      isServer = true
      return untilStopped()
    },
  }
}

function untilStopped(): Promise<string> {
  return new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        resolve(signal)
        // A second signal exits without waiting for requests in flight.
        process.once(signal, endAtOnce)
      })
    }
    // npm passes a signal to the shell that runs the command, and most shells do not forward it. Other scripts may leave a server running
    // on purpose.
    if (!['start', 'npx'].includes(process.env['npm_lifecycle_event'] ?? '')) return
    const parent = process.ppid
    const watch = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(watch)
      resolve('SIGTERM of npm')
    }, parentPollMs).unref()
  })
}

/** An uncaught error, most likely in a plugin, leaves the process in an undefined state. */
function endWith(error: unknown): void {
  try {
    const text = error instanceof Error ? withSourcePositions(error.stack ?? error.message) : String(error)
    writeSync(2, `orch: exited because of an uncaught error: ${text}\n`)
  } finally {
    endAtOnce()
  }
}

/**
 * Node's own exit waits for the commit thread, which waits for a response of this one: the process would never end. Acknowledged
 * writes are on disk, so ending at once loses nothing.
 */
function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL')
}
