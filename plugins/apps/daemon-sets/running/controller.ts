import { isDeepStrictEqual } from 'node:util'
import { type ApiObject, defineController, type Vendor } from 'orch/sdk'
import {
  allow,
  candidatesOf,
  claimObjects,
  createEventRecorder,
  keyOf,
  type LoopCaches,
  loopNeeds,
  ownerKeys,
  PodWriter,
  podCollection,
  recordEvents,
  splitKey,
  startControlLoop,
  UnseenWrites,
  withoutConflicts,
} from 'orch/sdk/controllers'
import {
  dropRevisions,
  NameTaken,
  revisionLabels,
  type StoredRevision,
  syncRevision,
} from '../../controller-revisions/history.js'
import { revisionCollection } from '../../controller-revisions/schema.js'
import { tryMatcher } from '../../selector-rules.js'
import { canonicalJson } from '../../template-hash.js'
import { daemonSetCollection } from '../schema.js'
import type { StoredDaemonSet, StoredPod } from './daemon-pods.js'
import type { NodeLike } from './node-fit.js'
import { type DaemonWork, reconcileDaemons } from './reconcile-daemons.js'

const nodeCollection = { group: '', version: 'v1', resource: 'nodes' } as const

/** Keeps a Pod of each daemon set on every node that it fits. */
export const daemonSetLoop = (vendor: Vendor) =>
  defineController({
    name: 'daemonset',
    account: 'daemon-set-controller',
    rules: [
      allow('get list watch', ['apps', 'extensions'], 'daemonsets'),
      allow('update', ['apps', 'extensions'], 'daemonsets/status'),
      allow('update', ['apps', 'extensions'], 'daemonsets/finalizers'),
      allow('list watch', '', 'nodes'),
      allow('create delete list patch watch', '', 'pods'),
      allow('create', '', 'pods/binding'),
      allow('create delete get list patch update watch', 'apps', 'controllerrevisions'),
      recordEvents(vendor),
    ],
    needs: loopNeeds,
    start(runtime) {
      const { client, clock } = runtime
      const sets = client.resource<StoredDaemonSet>(daemonSetCollection)
      const pods = client.resource<StoredPod>(podCollection)
      const revisions = client.resource<StoredRevision>(revisionCollection)
      const label = revisionLabels(vendor).ofPod
      const keeper = { revisions, hashLabel: label }
      const events = createEventRecorder({ ...runtime, component: 'daemonset-controller' })
      const unseen = new UnseenWrites()
      const work: DaemonWork = { clock, vendor, writer: new PodWriter(pods, events), unseen }
      let known: LoopCaches | undefined

      const reconcile = async (key: string, caches: LoopCaches) => {
        known = caches
        const { namespace, name } = splitKey(key)
        const set = caches.of<StoredDaemonSet>(daemonSetCollection).get(namespace, name)
        if (!set) return unseen.forget(key)
        const podCache = caches.of<StoredPod>(podCollection)
        if (unseen.isWaiting(key, podCache, clock.now())) return { requeueAfterMs: 250 }
        const matches = tryMatcher(set.spec?.selector)
        if (!matches) return
        const claim = { owner: set, matches, owners: sets }
        const history = candidatesOf(caches.of<StoredRevision>(revisionCollection), set)
        const ours = await claimObjects({ ...claim, client: revisions }, history)
        const found = await claimObjects({ ...claim, client: pods }, candidatesOf(podCache, set))
        const { current, all } = await syncRevision(keeper, set, ours).catch(async (error: unknown) => {
          if (error instanceof NameTaken) await countCollision(set)
          throw error
        })
        const hash = current.metadata.labels?.[label] ?? ''
        const nodes = caches.of<NodeLike>(nodeCollection).list()
        const { status, againMs } = await reconcileDaemons(work, set, found, nodes, hash)
        if (status && canonicalJson(status) !== canonicalJson(set.status))
          await sets.updateSubresource('status', { ...set, status })
        const used = new Set([hash, ...found.map(({ metadata }) => metadata.labels?.[label])])
        await dropRevisions(keeper, set, all, ({ metadata }) => used.has(metadata.labels?.[label]))
        return againMs === undefined ? undefined : { requeueAfterMs: againMs }
      }
      const countCollision = async (set: StoredDaemonSet) => {
        const collisionCount = (set.status?.collisionCount ?? 0) + 1
        await sets.updateSubresource('status', { ...set, status: { ...set.status!, collisionCount } })
      }
      /** Node heartbeats are frequent and irrelevant here. */
      const nodeKeys = (node: NodeLike, previous: NodeLike | undefined, type: string): string[] => {
        const isSame =
          type === 'modified' &&
          isDeepStrictEqual(node.metadata.labels, previous?.metadata.labels) &&
          isDeepStrictEqual(node.spec, previous?.spec)
        return isSame ? [] : (known?.of<StoredDaemonSet>(daemonSetCollection).list() ?? []).map(keyOf)
      }
      return startControlLoop({
        ...runtime,
        name: 'daemonset',
        workers: 2,
        sources: [
          { resource: daemonSetCollection },
          { resource: podCollection, keys: ownerKeys('DaemonSet', { group: 'apps', controllerOnly: true }) },
          { resource: nodeCollection, keys: nodeKeys as (node: ApiObject) => string[] },
          { resource: revisionCollection, keys: () => [] },
        ],
        reconcile: withoutConflicts(reconcile),
      })
    },
  })
