import { invalid, invalidValue, notFound } from 'orch/sdk'
import { StorageError } from 'orch/sdk/host'
import { unreadableOption } from './delete-options.js'
import { confirmAllowed } from './further-permission.js'
import type { VerbRequest } from './verb.js'

const unsafeVerb = 'unsafe-delete-ignore-read-errors'

/**
 * Deletes an object that cannot be decrypted or converted, as it is: neither finalizers nor admission can be asked about what
 * nobody can read, and what belongs to it stays. So it takes a permission of its own, and counts for no other object.
 */
export async function deleteUnreadable(request: VerbRequest): Promise<void> {
  const { services, context, type } = request
  const { namespace, name } = context.info
  await confirmAllowed(request, unsafeVerb)
  const key = type.key(namespace, name)
  await services.locks.run(key, async () => {
    await services.pendingWrites.settled(key)
    const failure = await readFailure(request, key)
    if (failure === undefined) throw notCorrupt(request)
    // Another server may have replaced it meanwhile by what can be read.
    const { revision } = failure
    const result = await services.store.write({ key, body: undefined, ...(revision ? { expect: revision } : {}) })
    if (!result.ok) throw result.current ? notCorrupt(request) : gone(request)
  })
  services.representations.respondStatus(context, 200, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...(type.group === '' ? {} : { group: type.group }), kind: type.resource },
  })
}

/** Why the object cannot be read; undefined when it can. */
async function readFailure(request: VerbRequest, key: string): Promise<StorageError | undefined> {
  try {
    if ((await request.services.store.get(key)) === undefined) throw gone(request)
    return undefined
  } catch (error) {
    if (error instanceof StorageError && error.kind === 'unreadable') return error
    throw error
  }
}

const gone = ({ type, context }: VerbRequest) =>
  notFound({ group: type.group, resource: type.resource, name: context.info.name })

function notCorrupt({ type, context }: VerbRequest) {
  const why = 'is exclusively used to delete corrupt object(s), try again by removing this option'
  return invalid({ group: type.group, kind: type.kind }, context.info.name, [invalidValue(unreadableOption, true, why)])
}
