import type { ApiObject, Vendor } from 'orch/sdk'
import {
  allow,
  candidatesOf,
  claimObjects,
  controllerOf,
  createEventRecorder,
  defineControlLoop,
  keyOf,
  type LoopCaches,
  ownerKeys,
  podCollection,
  recordEvents,
  splitKey,
  UnseenWrites,
  withoutConflicts,
} from 'orch/sdk/controllers'
import { claimCollection } from 'orch/sdk/core'
import {
  dropRevisions,
  NameTaken,
  revisionLabels,
  type StoredRevision,
  syncRevision,
} from '../../controller-revisions/history.js'
import { revisionCollection } from '../../controller-revisions/schema.js'
import { claimRetention, controlledClaims } from '../../differences.js'
import { tryMatcher } from '../../selector-rules.js'
import { canonicalJson } from '../../template-hash.js'
import { statefulSetCollection } from '../schema.js'
import { reconcileSet, type SetWork } from './reconcile-set.js'
import { ordinalOf, revisionNameOf, type StoredClaim, type StoredPod, type StoredSet } from './set-pods.js'

/** Maintains numbered Pods with claims of their own, in order unless the policy is Parallel. */
export const statefulSetLoop = (vendor: Vendor) =>
  defineControlLoop({
    name: 'statefulset',
    account: 'statefulset-controller',
    rules: [
      allow('list watch', '', 'pods'),
      allow('get list watch', 'apps', 'statefulsets'),
      allow('update', 'apps', 'statefulsets/status'),
      allow('update', 'apps', 'statefulsets/finalizers'),
      allow('create delete get patch update', '', 'pods'),
      allow('create delete get list patch update watch', 'apps', 'controllerrevisions'),
      allow(watchesClaims(vendor) ? 'create get list watch' : 'create get', '', 'persistentvolumeclaims'),
      ...(vendor.level.has(claimRetention) ? [allow('delete update', '', 'persistentvolumeclaims')] : []),
      ...(watchesClaims(vendor) ? [allow('update', '', 'pods/finalizers')] : []),
      recordEvents(vendor),
    ],
    setUp(runtime) {
      const { client, clock } = runtime
      const sets = client.resource<StoredSet>(statefulSetCollection)
      const pods = client.resource<StoredPod>(podCollection)
      const revisions = client.resource<StoredRevision>(revisionCollection)
      const keeper = { revisions, hashLabel: revisionLabels(vendor).ofStatefulSet }
      const events = createEventRecorder({ ...runtime, component: 'statefulset-controller' })
      const unseen = new UnseenWrites()
      const claims = client.resource<StoredClaim>(claimCollection)
      const findClaim = (namespace: string, name: string) =>
        watchesClaims(vendor)
          ? known?.of<StoredClaim>(claimCollection).get(namespace, name)
          : claims.in(namespace).find(name)
      const work: SetWork = { clock, vendor, events, pods, claims, unseen, findClaim }
      let known: LoopCaches | undefined

      const reconcile = async (key: string, caches: LoopCaches) => {
        known = caches
        const { namespace, name } = splitKey(key)
        const set = caches.of<StoredSet>(statefulSetCollection).get(namespace, name)
        if (!set) return unseen.forget(key)
        const podCache = caches.of<StoredPod>(podCollection)
        if (unseen.isWaiting(key, podCache, clock.now())) return { requeueAfterMs: 250 }
        const matches = tryMatcher(set.spec?.selector)
        if (!matches) return
        const claim = { owner: set, matches, owners: sets }
        const history = candidatesOf(caches.of<StoredRevision>(revisionCollection), set)
        const ours = await claimObjects({ ...claim, client: revisions }, history)
        const found = await claimObjects(
          { ...claim, client: pods },
          candidatesOf(podCache, set).filter(pod => ordinalOf(pod, set) !== undefined),
        )
        const { current: update, all } = await syncRevision(keeper, set, ours).catch(async (error: unknown) => {
          if (error instanceof NameTaken) await countCollision(set)
          throw error
        })
        const current = all.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update
        const { status, againMs } = await reconcileSet(work, set, found, { current, update })
        if (canonicalJson(status) !== canonicalJson(set.status))
          await sets.updateSubresource('status', { ...set, status })
        const used = new Set([current, update].map(({ metadata }) => metadata.name))
        for (const pod of found) used.add(revisionNameOf(pod, vendor))
        await dropRevisions(keeper, set, all, ({ metadata }) => used.has(metadata.name))
        return againMs === undefined ? undefined : { requeueAfterMs: againMs }
      }
      const countCollision = async (set: StoredSet) => {
        const status = { replicas: 0, ...set.status, collisionCount: (set.status?.collisionCount ?? 0) + 1 }
        await sets.updateSubresource('status', { ...set, status })
      }

      const owned = ownerKeys('StatefulSet', { group: 'apps', controllerOnly: true })
      const orphanKeys = (pod: ApiObject): string[] =>
        controllerOf(pod)
          ? []
          : (known?.of<StoredSet>(statefulSetCollection).list(pod.metadata.namespace) ?? [])
              .filter(({ spec }) => tryMatcher(spec?.selector)?.(pod.metadata.labels))
              .map(keyOf)
      return {
        workers: 5,
        sources: [
          { resource: statefulSetCollection },
          {
            resource: podCollection,
            keys: (pod: ApiObject, previous: ApiObject | undefined) => [...owned(pod, previous), ...orphanKeys(pod)],
          },
          { resource: revisionCollection, keys: () => [] },
          ...(watchesClaims(vendor) ? [{ resource: claimCollection, keys: keysOfDeletedClaim }] : []),
        ],
        reconcile: withoutConflicts(reconcile),
      }
    },
  })

const watchesClaims = ({ level }: Vendor): boolean => level.has(controlledClaims)

/** When a claim is deleted with its Pod, the next Pod of that ordinal can be created. */
const keysOfDeletedClaim = ({ metadata }: ApiObject, _: ApiObject | undefined, type: string): string[] =>
  type === 'deleted'
    ? (metadata.ownerReferences ?? [])
        .filter(({ kind }) => kind === 'Pod')
        .map(({ name }) => `${metadata.namespace}/${name.replace(/-\d+$/, '')}`)
    : []
