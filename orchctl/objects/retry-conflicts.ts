import { ApiError } from 'orch/sdk'

const attempts = 5

/** Repeats a change that begins with reading the object, when another one came in between. */
export async function retryConflicts<T>(change: () => Promise<T>): Promise<T> {
  for (let left = attempts - 1; ; left--) {
    try {
      return await change()
    } catch (error) {
      if (left === 0 || !(error instanceof ApiError) || error.reason !== 'Conflict') throw error
    }
  }
}
