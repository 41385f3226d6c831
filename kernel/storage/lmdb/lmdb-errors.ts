import { StorageError } from 'orch/sdk/host'

/** lmdb rejects a failed commit with a plain error that carries the cause as a promise. */
interface FailedCommit {
  readonly commitError?: Promise<never>
}

const noSpace = /MDB_MAP_FULL|ENOSPC|EDQUOT|EFBIG|No space left|[Qq]uota exceeded|File too large/
const damaged = /MDB_CORRUPTED|MDB_PAGE_NOTFOUND|MDB_INVALID|MDB_VERSION_MISMATCH/
const ofLmdb = /MDB_|Commit failed|Input\/output error|EIO|closed/

/** The error that callers of the store get. Errors that are not LMDB's are returned unchanged: they are bugs of ours. */
export async function storageErrorFrom(error: unknown): Promise<unknown> {
  const { commitError } = error as FailedCommit
  if (commitError !== undefined) {
    const cause: unknown = await commitError.catch((reason: unknown) => reason)
    return classify(cause, error)
  }
  return classify(error, error)
}

/** The error about a damaged store among the causes, if there is one. */
export function damageOf(thrown: unknown): StorageError | undefined {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof StorageError && error.kind === 'corrupt') return error
    if (damaged.test(error.message)) {
      const why = `the store is damaged: ${error.message}. Check it with orch storage verify; restore a backup with orch storage restore <backup>`
      return new StorageError('corrupt', why, { cause: error })
    }
  }
  return undefined
}

function classify(cause: unknown, error: unknown): unknown {
  if (error instanceof StorageError) return error
  const message = cause instanceof Error ? cause.message : String(cause)
  if (noSpace.test(message)) return new StorageError('full', `no space left for the store: ${message}`, { cause })
  if (damaged.test(message)) return new StorageError('corrupt', `the store is damaged: ${message}`, { cause })
  if (cause !== error || ofLmdb.test(message))
    return new StorageError('unavailable', `the store cannot be written: ${message}`, { cause })
  return error
}
