import { ApiError, type ApiObject, timestampOf, type Vendor } from 'orch/sdk'
import { type Client, unlessLost } from 'orch/sdk/client'
import { defineControlLoop, splitKey } from 'orch/sdk/controllers'
import type { StorageVersionMigration } from './schema.js'
import { isMigrationOver } from './validation.js'

const name = 'storage-version-migrator'
/** A new definition may not be served yet. */
const patienceMs = 60_000
const retryMs = 5_000

/**
 * Rewrites every object of a type unchanged, which stores it in the current version. Objects written after the
 * migration began are skipped: they are in that version already.
 */
export const storageVersionMigrator = (vendor: Vendor) => {
  const isLater = vendor.level.isSince('1.35')
  const collection = { group: vendor.group('storagemigration'), resource: 'storageversionmigrations' }
  const ref = { ...collection, version: isLater ? 'v1beta1' : 'v1alpha1' }
  const timeField = isLater ? 'lastTransitionTime' : 'lastUpdateTime'

  return defineControlLoop({
    name,
    account: `${name}-controller`,
    rules: [
      { verbs: ['get', 'list', 'watch'], apiGroups: [collection.group], resources: [collection.resource] },
      { verbs: ['update'], apiGroups: [collection.group], resources: [`${collection.resource}/status`] },
      { verbs: ['get', 'list', 'patch'], apiGroups: ['*'], resources: ['*'] },
    ],
    sources: [{ resource: ref }],
    async reconcile(key, caches, { client, clock }) {
      const cached = caches.of<StorageVersionMigration>(ref).get('', splitKey(key).name)
      if (!cached || isMigrationOver(cached)) return
      const migrations = client.resource<StorageVersionMigration>(ref)
      let migration = await migrations.find(splitKey(key).name)
      if (!migration || isMigrationOver(migration)) return
      const write = async (status: Partial<StorageVersionMigration['status']>, type: string, message = '') => {
        const condition = {
          type,
          status: 'True',
          reason: `StorageVersionMigration${type === 'Running' ? 'InProgress' : type}`,
          message,
          [timeField]: timestampOf(clock.now()),
        }
        const others = (migration?.status.conditions ?? []).filter(
          each => each.type !== type && (each.type !== 'Running' || type === 'Running'),
        )
        const conditions = [...others, condition] as StorageVersionMigration['status']['conditions']
        const next = { ...migration!, status: { ...migration!.status, ...status, conditions } }
        migration = await migrations.updateSubresource('status', next as StorageVersionMigration)
      }
      const { group = '', resource = '' } = migration.spec.resource
      const served = (await client.kinds({ fresh: true })).findResource(group, resource)
      if (!served?.verbs?.includes('list') || !served.verbs.includes('patch')) {
        const made = Date.parse(migration.metadata.creationTimestamp ?? '')
        if (made + patienceMs > clock.now()) return { requeueAfterMs: retryMs }
        return write({}, 'Failed', `there is no resource ${resource} of the group "${group}" that can be migrated`)
      }
      const target = { group, version: served.version, resource }
      if (!migration.status.resourceVersion) {
        const { metadata } = await client.resource(target).list({ limit: 1 })
        await write({ resourceVersion: metadata.resourceVersion ?? '' }, 'Running')
      }
      try {
        await rewrite(client, target, BigInt(migration.status.resourceVersion ?? '0'))
      } catch (failure) {
        if (!(failure instanceof ApiError) || isTemporary(failure)) throw failure
        return write({}, 'Failed', `migration encountered unhandled error: ${failure.message}`)
      }
      return write({}, 'Succeeded')
    },
  })
}

const isTemporary = ({ code }: ApiError) => code === 429 || code >= 500

/** Conflicts are ignored: a concurrent write has stored the object in the current version. */
async function rewrite(
  client: Client,
  target: { readonly group: string; readonly version: string; readonly resource: string },
  beginning: bigint,
): Promise<void> {
  for await (const { metadata } of client.resource<ApiObject>(target).each()) {
    const { name: objectName = '', namespace, uid, resourceVersion = '0' } = metadata
    if (BigInt(resourceVersion) > beginning) continue
    const objects = client.resource<ApiObject>(target)
    const place = namespace === undefined ? objects : objects.in(namespace)
    await unlessLost(place.patch(objectName, { metadata: { uid, resourceVersion } }), 'Conflict', 'NotFound')
  }
}
