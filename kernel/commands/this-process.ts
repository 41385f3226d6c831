import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import { withSourcePositions } from '../observe/source-positions.js'
import type { CommandLine } from './command-line.js'
import { runCommandLine } from './run-command-line.js'

/** How long a process may stay after its command is done. */
const lingerMs = 2_000
const parentPollMs = 500

/** The binary: runs the command line of this process, and ends it, whatever plugins have left open. */
export async function runBinary(): Promise<void> {
  process.exitCode = await runCommandLine(process.argv.slice(2), thisProcess())
  // It does not keep the process alive by itself.
  setTimeout(() => {
    process.stderr.write(`orch: ended although plugins have left something open: ${openResources()}\n`)
    process.exit()
  }, lingerMs).unref()
}

/** What keeps this process alive, apart from its standard streams. */
function openResources(): string {
  const kinds = process.getActiveResourcesInfo().filter(kind => !['PipeWrap', 'TTYWrap'].includes(kind))
  return [...new Set(kinds)].map(kind => `${kinds.filter(each => each === kind).length} ${kind}`).join(', ')
}

/** The world of the binary. Working directory, environment, output and signals are taken from the process here and nowhere else. */
function thisProcess(): Omit<CommandLine, 'words'> {
  // The store and its backups hold secrets: whatever this process writes is for its owner alone.
  process.umask(0o077)
  process.on('uncaughtException', endWith)
  let isServer = false
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', error => {
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
      // A reader that has seen enough (`| head`) is no failure. A server goes on without one.
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
        // Whoever asks twice does not want to wait for requests in flight.
        process.once(signal, endAtOnce)
      })
    }
    // npm passes a signal on to the shell that it runs a command in, and most shells do not pass it on. Other scripts may well
    // leave a server behind on purpose.
    if (!['start', 'npx'].includes(process.env['npm_lifecycle_event'] ?? '')) return
    const parent = process.ppid
    const watch = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(watch)
      resolve('SIGTERM of npm')
    }, parentPollMs).unref()
  })
}

/** An error that nobody caught, in a plugin most likely, leaves the process in a state that nobody knows. */
function endWith(error: unknown): void {
  try {
    const text = error instanceof Error ? withSourcePositions(error.stack ?? error.message) : String(error)
    writeSync(2, `orch: ended by an error that nobody caught: ${text}\n`)
  } finally {
    endAtOnce()
  }
}

/**
 * Node's own way out waits for the thread that commits, which waits for an answer from this one: the process would never
 * end. What was acknowledged is on disk, so the sudden end loses nothing.
 */
function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL')
}
