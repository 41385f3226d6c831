import type { ApiObject } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { defineControlLoop, splitKey } from 'orch/sdk/controllers'
import type { Pod } from 'orch/sdk/core'
import { podCollection, type StorageNames } from '../names.js'
import { claimCollection, type PersistentVolumeClaim } from '../persistent-volume-claims/schema.js'
import { claimNamesOf, usesClaim } from '../pod-claims.js'
import { keepFinalizer } from './keep-finalizer.js'

const name = 'pvc-protection'
/** The Pod may have been recreated with the same name: the claims of its predecessor are enqueued, too. */
const claimKeysOf = (pod: Pod, previous?: Pod) =>
  [pod, ...(previous ? [previous] : [])].flatMap(one =>
    claimNamesOf(one).map(claim => `${one.metadata?.namespace ?? ''}/${claim}`),
  )

/** A deleted claim is kept while a Pod uses it. */
export const claimProtection = ({ claimProtection: finalizer, recordEvents }: StorageNames) =>
  defineControlLoop({
    name,
    account: 'pvc-protection-controller',
    rules: [
      { verbs: ['get', 'list', 'update', 'watch'], apiGroups: [''], resources: ['persistentvolumeclaims'] },
      { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'] },
      recordEvents,
    ],
    sources: [{ resource: claimCollection }, { resource: podCollection, keys: claimKeysOf }],
    async reconcile(key, caches, runtime) {
      const { namespace, name: claimName } = splitKey(key)
      const claim = caches.of<PersistentVolumeClaim>(claimCollection).get(namespace, claimName)
      if (!claim) return
      const isUsedBy = (pod: Pod) => usesClaim(pod, claim as ApiObject)
      const isUsed = async () =>
        caches.of<Pod>(podCollection).list(namespace).some(isUsedBy) ||
        (await hasPod(runtime.client, namespace, isUsedBy))
      const claims = runtime.client.resource<PersistentVolumeClaim>(claimCollection)
      await keepFinalizer(claim, finalizer, claims, isUsed)
    },
  })

/** The cache may not have the newest Pod yet, and the removal of the finalizer cannot be undone. */
async function hasPod(client: Client, namespace: string, matches: (pod: Pod) => boolean): Promise<boolean> {
  for await (const pod of client.resource<Pod>(podCollection).in(namespace).each()) if (matches(pod)) return true
  return false
}
