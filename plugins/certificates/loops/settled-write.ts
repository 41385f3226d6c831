import { ApiError } from 'orch/sdk'

/** A write that lost against another one is settled: the loop sees the newer object and looks at it again. */
export async function settledWrite(write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!(error instanceof ApiError && (error.reason === 'Conflict' || error.reason === 'NotFound'))) throw error
  }
}
