import type { DeploymentCondition, DeploymentStatus } from '../schema.js'
import { setCondition, withoutCondition } from './conditions.js'
import type { Sets } from './replica-sets-of.js'
import { desiredReplicas, isSameJson, limitsOf, type Rollout, replicasOf, specOf, sumOf } from './rollout.js'

const conditionOf = (status: DeploymentStatus | undefined, type: string): DeploymentCondition | undefined =>
  (status?.conditions ?? []).find(condition => condition.type === type)

/** The status that follows from the replica sets. */
function observe(rollout: Rollout, { all, current }: Sets): DeploymentStatus {
  const { deployment, clock } = rollout
  const available = sumOf(all, ({ status }) => status?.availableReplicas)
  const isEnough = available >= desiredReplicas(rollout) - limitsOf(rollout).unavailable
  const conditions = setCondition(deployment.status?.conditions ?? [], {
    type: 'Available',
    status: isEnough ? 'True' : 'False',
    reason: isEnough ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
    message: `Deployment ${isEnough ? 'has' : 'does not have'} minimum availability.`,
    now: clock.now(),
  })
  const counts = {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas: sumOf(all, ({ status }) => status?.replicas),
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: sumOf(all, ({ status }) => status?.readyReplicas),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, sumOf(all, replicasOf) - available),
  }
  const { collisionCount } = deployment.status ?? {}
  const terminatingReplicas = rollout.countsTerminating ? terminatingOf(all) : undefined
  return {
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)),
    ...(terminatingReplicas === undefined ? {} : { terminatingReplicas }),
    conditions,
    ...(collisionCount === undefined ? {} : { collisionCount }),
  }
}

/** Unknown while the status of a replica set lacks it; new sets have none. */
function terminatingOf(all: Sets['all']): number | undefined {
  const reporting = all.filter(({ status }) => status?.observedGeneration || status?.terminatingReplicas !== undefined)
  if (reporting.some(({ status }) => status?.terminatingReplicas === undefined)) return undefined
  return sumOf(reporting, ({ status }) => status?.terminatingReplicas)
}

export function isComplete(rollout: Rollout, status: DeploymentStatus = {}): boolean {
  const wanted = desiredReplicas(rollout)
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0, observedGeneration = 0 } = status
  const isCurrent = observedGeneration >= (rollout.deployment.metadata.generation ?? 0)
  return updatedReplicas === wanted && replicas === wanted && availableReplicas === wanted && isCurrent
}

/** Whether there are more updated, ready or available Pods, or fewer old ones, than before. */
function hasProgressed(before: DeploymentStatus = {}, now: DeploymentStatus): boolean {
  const old = ({ replicas = 0, updatedReplicas = 0 }: DeploymentStatus) => replicas - updatedReplicas
  const isMore = (name: 'updatedReplicas' | 'readyReplicas' | 'availableReplicas') =>
    (now[name] ?? 0) > (before[name] ?? 0)
  return isMore('updatedReplicas') || isMore('readyReplicas') || isMore('availableReplicas') || old(now) < old(before)
}

/** When a rollout without progress is late, in ms since the epoch; undefined without a deadline. */
function deadlineOf(rollout: Rollout, status: DeploymentStatus | undefined): number | undefined {
  const seconds = specOf(rollout).progressDeadlineSeconds
  const progress = conditionOf(status, 'Progressing')
  if (seconds === undefined || !progress || progress.reason === 'NewReplicaSetAvailable') return undefined
  return Date.parse(progress.lastUpdateTime ?? '') + seconds * 1000
}

function withProgress(rollout: Rollout, { current }: Sets, status: DeploymentStatus): DeploymentCondition[] {
  const { deployment, clock } = rollout
  const conditions = status.conditions ?? []
  const now = clock.now()
  const before = conditionOf(status, 'Progressing')
  if (specOf(rollout).progressDeadlineSeconds === undefined) return withoutCondition(conditions, 'Progressing')
  const isDone = (status.replicas ?? 0) === (status.updatedReplicas ?? 0) && before?.reason === 'NewReplicaSetAvailable'
  if (isDone) return conditions
  const subject = current ? `ReplicaSet "${current.metadata.name}"` : `Deployment "${deployment.metadata.name}"`
  const progressing = (isTrue: boolean, reason: string, what: string) => ({
    type: 'Progressing',
    status: isTrue ? 'True' : 'False',
    reason,
    message: `${subject} ${what}.`,
    now,
  })
  if (isComplete(rollout, status))
    return setCondition(conditions, progressing(true, 'NewReplicaSetAvailable', 'has successfully progressed'))
  if (hasProgressed(deployment.status, status)) {
    const updated = setCondition(
      withoutCondition(conditions, 'Progressing'),
      progressing(true, 'ReplicaSetUpdated', 'is progressing'),
    )
    // The transition time is kept; the deadline is measured from the update time.
    const isSameStatus = before?.status === 'True' && before.lastTransitionTime !== undefined
    return updated.map(condition =>
      condition.type === 'Progressing' && isSameStatus
        ? { ...condition, lastTransitionTime: before.lastTransitionTime as string }
        : condition,
    )
  }
  const isLate =
    before?.reason === 'ProgressDeadlineExceeded' || now > (deadlineOf(rollout, status) ?? Number.MAX_VALUE)
  return isLate && before
    ? setCondition(conditions, progressing(false, 'ProgressDeadlineExceeded', 'has timed out progressing'))
    : conditions
}

/** A replica set that fails to create or delete Pods is reported on the deployment as well. */
function withFailure({ all, current }: Sets, conditions: DeploymentCondition[], now: number): DeploymentCondition[] {
  const failed = [...(current ? [current] : []), ...all]
    .flatMap(({ status }) => status?.conditions ?? [])
    .find(({ type, status }) => type === 'ReplicaFailure' && status === 'True')
  if (!failed) return withoutCondition(conditions, 'ReplicaFailure')
  const { reason = '', message = '' } = failed
  return setCondition(conditions, { type: 'ReplicaFailure', status: 'True', reason, message, now })
}

/**
 * Writes the status if it changed. Returns after how many ms to reconcile again, if the rollout could be late by then.
 */
export async function writeStatus(rollout: Rollout, sets: Sets, isProgressing: boolean): Promise<number | undefined> {
  const observed = observe(rollout, sets)
  const now = rollout.clock.now()
  const conditions = isProgressing
    ? withFailure(sets, withProgress(rollout, sets, observed), now)
    : (observed.conditions ?? [])
  const status = { ...observed, conditions }
  if (!isSameJson(status, rollout.deployment.status)) {
    const changed = { ...rollout.deployment, status }
    rollout.deployment = await rollout.deployments.updateSubresource('status', changed)
  }
  const deadline = deadlineOf(rollout, status)
  if (deadline === undefined || isComplete(rollout, status)) return undefined
  const isReported = conditionOf(status, 'Progressing')?.reason === 'ProgressDeadlineExceeded'
  return isReported ? undefined : Math.max(0, deadline - now) + 1000
}
