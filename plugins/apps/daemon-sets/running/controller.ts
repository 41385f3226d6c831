import { isDeepStrictEqual } from 'node:util'
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
  PodWriter,
  podCollection,
  recordEvents,
  splitKey,
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
import { boundDaemonsFollowNodes } from '../../differences.js'
import { tryMatcher } from '../../selector-rules.js'
import { canonicalJson } from '../../template-hash.js'
import { daemonSetCollection } from '../schema.js'
import { type StoredDaemonSet, type StoredPod, tolerationsOf } from './daemon-pods.js'
import { FailedPodBackoff } from './failed-pod-backoff.js'
import { fitOf, type NodeLike } from './node-fit.js'
import { type DaemonWork, reconcileDaemons } from './reconcile-daemons.js'

const nodeCollection = { group: '', version: 'v1', resource: 'nodes' } as const

/** Maintains a Pod of each daemon set on every matching node. */
export const daemonSetLoop = (vendor: Vendor) =>
  defineControlLoop({
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
    setUp(runtime) {
      const { client, clock } = runtime
      const sets = client.resource<StoredDaemonSet>(daemonSetCollection)
      const pods = client.resource<StoredPod>(podCollection)
      const revisions = client.resource<StoredRevision>(revisionCollection)
      const label = revisionLabels(vendor).ofPod
      const keeper = { revisions, hashLabel: label }
      const events = createEventRecorder({ ...runtime, component: 'daemonset-controller' })
      const unseen = new UnseenWrites()
      const failures = new FailedPodBackoff()
      const work: DaemonWork = { clock, vendor, writer: new PodWriter(pods, events), unseen, events, failures }
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
      const setsFor = (node: NodeLike, previous: NodeLike | undefined): readonly StoredDaemonSet[] => {
        const all = known?.of<StoredDaemonSet>(daemonSetCollection).list() ?? []
        if (!vendor.level.has(boundDaemonsFollowNodes) || !known)
          return all.filter(set => !previous || !isDeepStrictEqual(fitOfSet(set, node), fitOfSet(set, previous)))
        const owners = new Set(podsOnNode(known, node).map(pod => controllerOf(pod)?.uid))
        return all.filter(set => {
          const { shouldRun, mayStay } = fitOfSet(set, node)
          return owners.has(set.metadata.uid) ? !mayStay || !!set.status?.numberMisscheduled : shouldRun
        })
      }
      const fitOfSet = ({ spec }: StoredDaemonSet, node: NodeLike) => {
        const podSpec = spec?.template?.spec ?? { containers: [] }
        return fitOf(podSpec, tolerationsOf(podSpec, vendor), node)
      }
      /** Node heartbeats are frequent and irrelevant here. */
      const nodeKeys = (node: NodeLike, previous: NodeLike | undefined, type: string): string[] => {
        if (type === 'deleted') return (known?.of<StoredDaemonSet>(daemonSetCollection).list() ?? []).map(keyOf)
        const isSame =
          type === 'modified' &&
          isDeepStrictEqual(node.metadata.labels, previous?.metadata.labels) &&
          isDeepStrictEqual(node.spec?.taints, previous?.spec?.taints)
        return isSame ? [] : setsFor(node, type === 'modified' ? previous : undefined).map(keyOf)
      }
      return {
        workers: 2,
        sources: [
          { resource: daemonSetCollection },
          { resource: podCollection, keys: ownerKeys('DaemonSet', { group: 'apps', controllerOnly: true }) },
          { resource: nodeCollection, keys: nodeKeys as (node: ApiObject) => string[] },
          { resource: revisionCollection, keys: () => [] },
        ],
        reconcile: withoutConflicts(reconcile),
      }
    },
  })

const nodeIndex = 'node'
/** Pods that are bound to a node. */
function podsOnNode(caches: LoopCaches, { metadata }: NodeLike): readonly StoredPod[] {
  const pods = caches.of<StoredPod>(podCollection)
  pods.addIndex(nodeIndex, ({ spec }) => (spec.nodeName ? [spec.nodeName] : []))
  return pods.indexed(nodeIndex, metadata.name ?? '')
}
