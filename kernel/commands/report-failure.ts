import { StorageError } from 'orch/sdk/host'
import { traceOf } from '../boot/failure-place.js'
import { BootError, errorMessage } from '../contracts/boot-errors.js'
import type { CommandLine } from './command-line.js'

/** Remedies for errors of the operating system. They are not bugs, so no stack is shown. */
const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Stop the server on that port, or choose another one: --secure-port 0 chooses a free one',
  ENOSPC: 'Free space on that disk, or use another',
  EDQUOT: 'Free space, or raise the quota',
  EROFS: 'That file system is read-only: copy the folder to another disk and use the copy',
  EACCES: 'Run as the owner of the file, or change its mode',
  EPERM: 'Run as the owner of the file, or change its mode',
}
const remedyFor = (thrown: unknown): string | undefined => remedies[(thrown as NodeJS.ErrnoException).code ?? '']

/** Prints one line for each problem, and returns the exit code. */
export function report(thrown: unknown, line: Pick<CommandLine, 'err'>): number {
  const say = (text: string, cause: unknown) => line.err(`${[`orch: ${text}`, ...traceOf(cause)].join('\n')}\n`)
  if (!(thrown instanceof BootError)) {
    const remedy = remedyFor(thrown)
    const text = remedy === undefined ? errorMessage(thrown) : `${errorMessage(thrown)}. ${remedy}`
    // An error of the store is self-explanatory, like those of the operating system.
    say(text, thrown instanceof StorageError || remedy !== undefined ? undefined : thrown)
    return 1
  }
  for (const { code, message, cause } of thrown.problems) say(`${message} (${code})`, cause)
  return thrown.exitCode
}
