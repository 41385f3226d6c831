import { ApiError } from 'orch/sdk'
import type { Store, StoredObject } from 'orch/sdk/host'

/** What a writer comes to from the state of an object. */
export interface Decision {
  /** It is a write that fails unless the object still is in that state. */
  readonly isGuarded: boolean
}

/**
 * Decides about an object by its newest state. Where the store lags, by what this process has of it, without asking others: a guarded
 * write is right or fails. Anything else, such as a refusal or that there is nothing to do, is looked at again if the state turns
 * out not to have been the newest.
 */
export async function decideByNewest<T extends Decision>(
  store: Store,
  key: string,
  decide: (found: StoredObject | undefined) => Promise<T>,
  /** False when a guarded write has just failed: what this process has is old. */
  mayGuess = true,
): Promise<T> {
  const held = store.lags && mayGuess ? store.get(key, 0) : undefined
  const guess = held instanceof Promise ? await held : held
  if (guess === undefined) return decide(await store.get(key))
  let decision: T | undefined
  let refusal: ApiError | undefined
  try {
    decision = await decide(guess)
    if (decision.isGuarded) return decision
  } catch (error) {
    // Whatever else went wrong does not depend on the state.
    if (!(error instanceof ApiError)) throw error
    refusal = error
  }
  const newest = await store.get(key)
  if (newest?.modRevision !== guess.modRevision) return decide(newest)
  if (decision === undefined) throw refusal
  return decision
}
