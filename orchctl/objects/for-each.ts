import { ConnectionError } from 'orch/sdk/client'
import { exitCodes } from '../exit-codes.js'
import { reportFailure } from '../explain-failure.js'
import type { Terminal } from '../terminal.js'

/** Runs `work` for each item. A failure is reported and does not stop the others. Returns the exit code. */
export async function forEach<T extends { readonly label: string }>(
  items: readonly T[],
  terminal: Terminal,
  work: (item: T) => Promise<void>,
  atOnce = 1,
): Promise<number> {
  let code: number = exitCodes.done
  const waiting = items.values()
  const workOn = async () => {
    for (const item of waiting) {
      if (terminal.signal.aborted) break
      try {
        await work(item)
      } catch (error) {
        // Without a connection to the server all other items would fail, too.
        if (error instanceof ConnectionError) throw error
        code = Math.max(code, reportFailure(terminal, error, item.label))
      }
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, Math.min(atOnce, items.length)) }, workOn))
  return code
}
