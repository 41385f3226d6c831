import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { isatty } from 'node:tty'
import { withSourcePositions } from '../observe/source-positions.js'
import type { CommandLine } from './command-line.js'
import { runCommandLine } from './run-command-line.js'

/** How long the process may live after its command has completed. */
const lingerMs = 2_000
const parentPollMs = 500
/** A signal that arrives twice within this time was sent once, and forwarded by npm. */
const sameSignalMs = 1_000

/** Set for child processes that reply to messages: other parents may open a channel for their own purposes. */
const talkVariable = 'ORCH_ANSWERS_PARENT'

/** Runs the command line of this process and exits, whatever plugins have left open. */
export async function runBinary(): Promise<void> {
  process.exitCode = await runCommandLine(process.argv.slice(2), thisProcess())
  // It does not keep the process alive by itself.
  setTimeout(() => {
    process.stderr.write(`orch: exited although plugins have left resources open: ${openResources()}\n`)
    process.exit()
  }, lingerMs).unref()
}

/** The resources that keep this process alive, apart from its standard streams. */
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
    ask: process.stdin.isTTY && process.stdout.isTTY ? askAtTerminal : undefined,
    out: text => void process.stdout.write(text),
    err: text => void process.stderr.write(text),
    onUnhandledRejection: listener => void process.on('unhandledRejection', listener),
    program,
    runAgain: (argv, output, talk) =>
      spawn(program[0]!, [...program.slice(1), ...argv], {
        stdio: talk ? ['ignore', output, output, 'ipc'] : ['ignore', output, output],
        env: talk ? { ...process.env, [talkVariable]: 'yes' } : process.env,
      }),
    answerParent: process.env[talkVariable] === undefined ? undefined : answerParent,
    untilStopped() {
      isServer = true
      return untilStopped()
    },
  }
}

async function askAtTerminal(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  // Ctrl-D ends the input without an answer.
  const ended = new Promise<string>(resolve => lines.once('close', () => resolve('')))
  try {
    return await Promise.race([lines.question(question), ended])
  } finally {
    lines.close()
  }
}

function answerParent(answer: (message: unknown) => Promise<unknown>): void {
  process.on('message', message => void answer(message).then(reply => process.send?.(reply)))
  process.channel?.unref()
}

function untilStopped(): Promise<string> {
  return new Promise(resolve => {
    const isRunByNpm = ['start', 'npx'].includes(process.env['npm_lifecycle_event'] ?? '')
    let stoppingSince: number | undefined
    const stop = (signal: NodeJS.Signals) => {
      resolve(signal)
      const isSecond = stoppingSince !== undefined
      stoppingSince ??= performance.now()
      // npm forwards a signal that the terminal sent to both processes.
      const isSame = isRunByNpm && performance.now() - stoppingSince < sameSignalMs
      // A second signal of any kind exits without waiting for requests in flight.
      if (isSecond && !isSame) endBecauseOf(`a second signal, ${signal}`)
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
    // Determined now: a closed terminal is no longer detected as one.
    const hasTerminal = [0, 1, 2].some(isatty)
    process.on('SIGHUP', signal => {
      // With a terminal, SIGHUP means that it was closed. Without one, it makes other servers reload files: this one does so anyway.
      if (hasTerminal) stop(signal)
      else process.stderr.write('orch: SIGHUP is ignored: files are reloaded, and log files reopened, without it\n')
    })
    // npm passes a signal to the shell that runs the command, and most shells do not forward it. Other scripts may leave a server running
    // on purpose.
    if (!isRunByNpm) return
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
    endBecauseOf(`an uncaught error: ${text}`)
  } finally {
    endAtOnce()
  }
}

function endBecauseOf(why: string): void {
  try {
    writeSync(2, `orch: exited because of ${why}\n`)
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
