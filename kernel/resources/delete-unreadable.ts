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
    if (!(await isUnreadable(request, key))) {
      const why = 'is exclusively used to delete corrupt object(s), try again by removing this option'
      throw invalid({ group: type.group, kind: type.kind }, name, [invalidValue(unreadableOption, true, why)])
    }
    await services.store.write({ key, body: undefined })
  })
  services.representations.respondStatus(context, 200, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...(type.group === '' ? {} : { group: type.group }), kind: type.resource },
  })
}

async function isUnreadable({ services, type, context }: VerbRequest, key: string): Promise<boolean> {
  try {
    const found = await services.store.get(key)
    if (found === undefined) throw notFound({ group: type.group, resource: type.resource, name: context.info.name })
    return false
  } catch (error) {
    if (error instanceof StorageError && error.kind === 'unreadable') return true
    throw error
  }
}
