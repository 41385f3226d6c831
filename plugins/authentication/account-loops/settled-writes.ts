import { ApiError } from 'orch/sdk'

/** The cause with which a namespace that is being removed refuses new objects. */
const terminating = 'NamespaceTerminating'

/** Is there nothing left to do: somebody else was faster, or the namespace is on its way out? */
function isSettled(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  const causes = error.details?.causes ?? []
  return error.code === 404 || error.reason === 'AlreadyExists' || causes.some(({ reason }) => reason === terminating)
}

/** Makes a write that others may make at the same time; undefined when it is not needed any more. */
export async function unlessSettled<T>(write: () => Promise<T>): Promise<T | undefined> {
  try {
    return await write()
  } catch (error) {
    if (isSettled(error)) return undefined
    throw error
  }
}
