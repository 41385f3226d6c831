import { ConnectionError } from 'orch/sdk/client'
import { exitCodes } from '../exit-codes.js'
import { tellFailure } from '../explain-failure.js'
import type { Terminal } from '../world.js'

/** Does the work for each item; one that fails is told and does not stop the others. Returns the exit code. */
export async function forEach<T extends { readonly label: string }>(
  items: readonly T[],
  world: Terminal,
  work: (item: T) => Promise<void>,
): Promise<number> {
  let code: number = exitCodes.done
  for (const item of items) {
    if (world.signal.aborted) break
    try {
      await work(item)
    } catch (error) {
      // Without a server the others fail too; with one item there is nothing to go on with.
      if (error instanceof ConnectionError) throw error
      code = Math.max(code, tellFailure(world, error, item.label))
    }
  }
  return code
}
