import { ConnectionError } from 'orch/sdk/client'
import { exitCodes } from '../exit-codes.js'
import { reportFailure } from '../explain-failure.js'
import type { Terminal } from '../terminal.js'

/** Runs `work` for each item. A failure is reported and does not stop the others. Returns the exit code. */
export async function forEach<T extends { readonly label: string }>(
  items: readonly T[],
  terminal: Terminal,
  work: (item: T) => Promise<void>,
): Promise<number> {
  let code: number = exitCodes.done
  for (const item of items) {
    if (terminal.signal.aborted) break
    try {
      await work(item)
    } catch (error) {
      // Without a server all others would fail, too; with a single item there are no others.
      if (error instanceof ConnectionError) throw error
      code = Math.max(code, reportFailure(terminal, error, item.label))
    }
  }
  return code
}
