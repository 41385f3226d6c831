import type { ResourceClient } from '../../client/client.js'
import type { Cache } from '../../plugin/caches.js'
import { ApiError } from '../../resource/api-errors.js'
import type { ApiObject, OwnerReference } from '../../resource/meta.js'
import { controllerReference } from '../owner-keys.js'

/** The owner that is marked as controller, if there is one. */
export const controllerOf = (object: ApiObject): OwnerReference | undefined =>
  (object.metadata.ownerReferences ?? []).find(({ controller }) => controller)

const indexName = 'controller'
const orphansOf = (namespace: string) => `orphans of ${namespace}`
const indexed = new WeakSet<object>()

/** Objects of a cache that an owner controls, and those of its namespace without a controller. */
export function candidatesOf<T extends ApiObject>(cache: Cache<T>, owner: ApiObject): readonly T[] {
  const { uid = '', namespace = '' } = owner.metadata
  if (!indexed.has(cache)) {
    indexed.add(cache)
    cache.addIndex(indexName, object => [controllerOf(object)?.uid ?? orphansOf(object.metadata.namespace ?? '')])
  }
  return [...cache.indexed(indexName, uid), ...cache.indexed(indexName, orphansOf(namespace))]
}

/** An owner, and the objects that it claims. */
export interface Claim<T extends ApiObject> {
  readonly owner: ApiObject
  readonly client: ResourceClient<T>
  readonly matches: (labels: Readonly<Record<string, string>> | undefined) => boolean
  /** The collection of the owner. It is looked up before the first adoption: a deleted owner adopts nothing. */
  readonly owners: ResourceClient
  /** A finalizer that is added to adopted objects and removed from released ones. */
  readonly finalizer?: string
}

/**
 * The objects of the owner: matching ones that it controls, and matching orphans, which are adopted. Controlled objects that
 * no longer match are released.
 */
export async function claimObjects<T extends ApiObject>(
  { owner, client, matches, owners, finalizer }: Claim<T>,
  candidates: readonly T[],
): Promise<T[]> {
  const claimed: T[] = []
  const collection = client.in(owner.metadata.namespace ?? '')
  let mayAdopt: boolean | undefined
  for (const object of candidates) {
    const { name = '', uid, labels, deletionTimestamp } = object.metadata
    const isMatch = matches(labels)
    if (controllerOf(object)) {
      if (isMatch) claimed.push(object)
      else if (!owner.metadata.deletionTimestamp)
        await ignoringLoss(
          collection.patch(
            name,
            {
              metadata: {
                uid,
                ownerReferences: [{ $patch: 'delete', uid: owner.metadata.uid }],
                ...(finalizer ? { '$deleteFromPrimitiveList/finalizers': [finalizer] } : {}),
              },
            },
            { type: 'strategic' },
          ),
        )
      continue
    }
    if (!isMatch || deletionTimestamp || owner.metadata.deletionTimestamp) continue
    mayAdopt ??= await isAlive(owner, owners)
    if (!mayAdopt) continue
    const adopted = await ignoringLoss(
      collection.patch(
        name,
        {
          metadata: {
            uid,
            ownerReferences: [controllerReference(owner)],
            ...(finalizer ? { finalizers: [finalizer] } : {}),
          },
        },
        { type: 'strategic' },
      ),
    )
    if (adopted) claimed.push(adopted)
  }
  return claimed
}

async function isAlive(
  { metadata: { namespace = '', name = '', uid } }: ApiObject,
  owners: ResourceClient,
): Promise<boolean> {
  const fresh = await owners.in(namespace).find(name)
  return fresh?.metadata.uid === uid && !fresh?.metadata.deletionTimestamp
}

/** Undefined when another writer was faster: the object is gone, or was replaced. */
async function ignoringLoss<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write
  } catch (error) {
    if (error instanceof ApiError && [404, 409, 422].includes(error.code)) return undefined
    throw error
  }
}
