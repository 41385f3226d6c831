import { invalid, invalidValue, notFound } from 'orch/sdk'
import { StorageError } from 'orch/sdk/host'
import { commit } from './commit.js'
import { unreadableOption } from './delete-options.js'
import { confirmAllowed } from './further-permission.js'
import type { VerbRequest } from './verb.js'

const unsafeVerb = 'unsafe-delete-ignore-read-errors'

/**
 * Deletes an object that cannot be decrypted or converted. Finalizers and admission cannot be applied to it, and its
 * dependents stay. So it requires a separate permission, and is rejected for readable objects.
 */
export async function deleteUnreadable(request: VerbRequest): Promise<void> {
  const { services, context, type } = request
  const { namespace, name } = context.info
  await confirmAllowed(request, unsafeVerb)
  const key = type.key(namespace, name)
  const { revision } = await readFailure(request, key)
  // Another server may have replaced it meanwhile with a readable one.
  const result = await commit(request, key, () => ({ write: { body: undefined } }), { expect: revision || 'any' })
  if (!result.ok) throw result.current ? notCorrupt(request) : gone(request)
  services.representations.respondStatus(context, 200, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...(type.group === '' ? {} : { group: type.group }), kind: type.resource },
  })
}

/** Why the object cannot be read; throws if it can. */
async function readFailure(request: VerbRequest, key: string): Promise<StorageError> {
  try {
    await commit(request, key, ({ object }) => {
      throw object ? notCorrupt(request) : gone(request)
    })
  } catch (error) {
    if (error instanceof StorageError && error.kind === 'unreadable') return error
    throw error
  }
  throw notCorrupt(request)
}

const gone = ({ type, context }: VerbRequest) =>
  notFound({ group: type.group, resource: type.resource, name: context.info.name })

function notCorrupt({ type, context }: VerbRequest) {
  const why = 'is exclusively used to delete corrupt object(s), try again by removing this option'
  return invalid({ group: type.group, kind: type.kind }, context.info.name, [invalidValue(unreadableOption, true, why)])
}
