import type { ApiObject, Vendor } from 'orch/sdk'
import {
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
  withoutConflicts,
} from 'orch/sdk/controllers'
import type { Pod } from 'orch/sdk/core'
import { replicaSetCollection } from '../../replica-sets/schema.js'
import { tryMatcher } from '../../selector-rules.js'
import { deploymentCollection } from '../schema.js'
import { setCondition } from './conditions.js'
import { rolloutNames } from './names.js'
import { syncSets } from './replica-sets-of.js'
import { isRolling, type Rollout, type StoredDeployment, type StoredReplicaSet, specOf } from './rollout.js'
import { isComplete, writeStatus } from './status.js'
import { dropHistory, isResized, recreateStep, resize, rollingStep } from './steps.js'

type StoredPod = Pod & ApiObject

/** Rolls Pods out from one template to the next, by scaling a replica set for each. */
export const deploymentLoop = (vendor: Vendor, countsTerminating: boolean) =>
  defineControlLoop({
    name: 'deployment',
    account: 'deployment-controller',
    rules: [
      { verbs: ['get', 'list', 'update', 'watch'], apiGroups: ['apps', 'extensions'], resources: ['deployments'] },
      { verbs: ['update'], apiGroups: ['apps', 'extensions'], resources: ['deployments/status'] },
      { verbs: ['update'], apiGroups: ['apps', 'extensions'], resources: ['deployments/finalizers'] },
      {
        verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
        apiGroups: ['apps', 'extensions'],
        resources: ['replicasets'],
      },
      { verbs: ['get', 'list', 'update', 'watch'], apiGroups: [''], resources: ['pods'] },
      recordEvents(vendor),
    ],
    setUp(runtime) {
      const deployments = runtime.client.resource<StoredDeployment>(deploymentCollection)
      const replicaSets = runtime.client.resource<StoredReplicaSet>(replicaSetCollection)
      const events = createEventRecorder({ ...runtime, component: 'deployment-controller' })
      const names = rolloutNames(vendor)
      let known: LoopCaches | undefined

      const owned = ownerKeys('Deployment', { group: 'apps', controllerOnly: true })
      const orphanKeys = (set: ApiObject): string[] =>
        controllerOf(set)
          ? []
          : (known?.of<StoredDeployment>(deploymentCollection).list(set.metadata.namespace) ?? [])
              .filter(({ spec }) => tryMatcher(spec?.selector)?.(set.metadata.labels))
              .map(keyOf)
      /** Only deployments with strategy Recreate wait for their old Pods to end. */
      const podKeys = (pod: ApiObject, _: unknown, type: string): string[] => {
        const owner = controllerOf(pod)
        if (type !== 'deleted' || owner?.kind !== 'ReplicaSet') return []
        const set = known?.of<StoredReplicaSet>(replicaSetCollection).get(pod.metadata.namespace ?? '', owner.name)
        return set ? [...owned(set, undefined)] : []
      }

      const reconcile = async (key: string, caches: LoopCaches) => {
        known = caches
        const { namespace, name } = splitKey(key)
        const deployment = caches.of<StoredDeployment>(deploymentCollection).get(namespace, name)
        if (!deployment) return
        const matches = tryMatcher(deployment.spec?.selector)
        if (!matches) return
        const claim = { owner: deployment, client: replicaSets, matches, owners: deployments }
        const cached = candidatesOf(caches.of<StoredReplicaSet>(replicaSetCollection), deployment)
        const claimed = await claimObjects(claim, cached)
        // Copies: the steps change their replica counts in place.
        const sets = claimed.map(set => ({ ...set }))
        const { clock } = runtime
        const rollout = { deployment, clock, events, deployments, replicaSets, names, countsTerminating }
        const podsOf = (set: StoredReplicaSet) =>
          candidatesOf(caches.of<StoredPod>(podCollection), set).filter(
            pod => controllerOf(pod)?.uid === set.metadata.uid,
          )
        const againMs = await reconcileRollout(rollout, sets, podsOf)
        return againMs === undefined ? undefined : { requeueAfterMs: againMs }
      }

      return {
        workers: 5,
        sources: [
          { resource: deploymentCollection },
          {
            resource: replicaSetCollection,
            keys: (set: ApiObject, previous: ApiObject | undefined) => [...owned(set, previous), ...orphanKeys(set)],
          },
          { resource: podCollection, keys: podKeys },
        ],
        reconcile: withoutConflicts(reconcile),
      }
    },
  })

async function reconcileRollout(
  rollout: Rollout,
  sets: StoredReplicaSet[],
  podsOf: (set: StoredReplicaSet) => readonly Pod[],
): Promise<number | undefined> {
  if (rollout.deployment.metadata.deletionTimestamp)
    return writeStatus(rollout, await syncSets(rollout, sets, false), false)
  await recordPause(rollout)
  if (specOf(rollout).paused || isResized(rollout, sets)) {
    const found = await syncSets(rollout, sets, false)
    await resize(rollout, found)
    if (specOf(rollout).paused) await dropHistory(rollout, found.old)
    return writeStatus(rollout, found, false)
  }
  const found = isRolling(rollout) ? await rollingStep(rollout, sets) : await recreateStep(rollout, sets, podsOf)
  if (isComplete(rollout, rollout.deployment.status)) await dropHistory(rollout, found.old)
  return writeStatus(rollout, found, true)
}

/** Time spent paused does not count against the progress deadline. */
async function recordPause(rollout: Rollout): Promise<void> {
  const { deployment, clock } = rollout
  const { paused = false, progressDeadlineSeconds } = specOf(rollout)
  const conditions = deployment.status?.conditions ?? []
  const progress = conditions.find(({ type }) => type === 'Progressing')
  if (progressDeadlineSeconds === undefined || progress?.reason === 'ProgressDeadlineExceeded') return
  const isRecorded = progress?.reason === 'DeploymentPaused'
  if (paused === isRecorded) return
  const condition = paused
    ? { reason: 'DeploymentPaused', message: 'Deployment is paused' }
    : { reason: 'DeploymentResumed', message: 'Deployment is resumed' }
  const changed = setCondition(conditions, { type: 'Progressing', status: 'Unknown', ...condition, now: clock.now() })
  const status = { ...deployment.status, conditions: changed }
  rollout.deployment = await rollout.deployments.updateSubresource('status', { ...deployment, status })
}
