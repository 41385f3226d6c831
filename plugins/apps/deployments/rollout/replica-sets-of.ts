import { ApiError } from 'orch/sdk'
import { controllerReference } from 'orch/sdk/controllers'
import { hashLabel, isSameTemplate, shortHash } from '../../template-hash.js'
import { setCondition } from './conditions.js'
import {
  byAge,
  desiredReplicas,
  isRolling,
  isSameJson,
  limitsOf,
  type Rollout,
  replicasOf,
  type StoredReplicaSet,
  specOf,
  sumOf,
} from './rollout.js'
import { recordScaling, sizeAnnotations } from './scale-set.js'

/** The replica sets of a deployment: that of its current template, and those of earlier ones. */
export interface Sets {
  readonly current: StoredReplicaSet | undefined
  readonly old: StoredReplicaSet[]
  readonly all: StoredReplicaSet[]
}

export function splitSets(rollout: Rollout, sets: readonly StoredReplicaSet[]): Sets {
  const sorted = [...sets].sort(byAge)
  const current = sorted.find(set => isSameTemplate(set.spec?.template, specOf(rollout).template))
  return { current, old: sorted.filter(set => set !== current), all: sorted }
}

export const revisionOf = ({ names }: Rollout, set: StoredReplicaSet): number =>
  Number(set.metadata.annotations?.[names.revision] ?? 0) || 0

/** Sets the highest revision on the set of the current template; creates it if it is missing and needed. */
export async function syncSets(rollout: Rollout, sets: readonly StoredReplicaSet[], isWanted: boolean): Promise<Sets> {
  const { current, old, all } = splitSets(rollout, sets)
  const revision = old.reduce((most, set) => Math.max(most, revisionOf(rollout, set)), 0) + 1
  if (current) {
    const kept = await annotate(rollout, current, revision)
    await recordRevision(rollout, String(revisionOf(rollout, kept)), kept, 'FoundNewReplicaSet')
    return { current: kept, old, all: all.map(set => (set === current ? kept : set)) }
  }
  if (!isWanted) return { current, old, all }
  const made = await createSet(rollout, all, revision)
  await recordRevision(rollout, String(revision), made, 'NewReplicaSetCreated')
  return { current: made, old, all: [...all, made] }
}

/** The annotations of a replica set: those copied from the deployment, its revision, and its earlier revisions. */
function copiedAnnotations({ deployment, names }: Rollout, before: Record<string, string>, revision: number) {
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !names.own.has(key))
  const known = Number(before[names.revision] ?? 0) || 0
  const isNewer = known < revision
  const history = (before[names.history] ?? '').split(',').filter(text => text !== '')
  if (isNewer && known > 0 && !history.includes(String(known))) history.push(String(known))
  return {
    ...before,
    ...Object.fromEntries(copied),
    [names.revision]: String(isNewer ? revision : known),
    ...(history.length > 0 ? { [names.history]: history.join(',') } : {}),
  }
}

async function annotate(rollout: Rollout, set: StoredReplicaSet, revision: number): Promise<StoredReplicaSet> {
  const before = set.metadata.annotations ?? {}
  const annotations = copiedAnnotations(rollout, before, revision)
  const { minReadySeconds = 0 } = specOf(rollout)
  if (isSameJson(annotations, before) && (set.spec?.minReadySeconds ?? 0) === minReadySeconds) return set
  const spec = { ...set.spec!, minReadySeconds }
  return rollout.replicaSets.update({ ...set, metadata: { ...set.metadata, annotations }, spec })
}

/** How many Pods the set of the current template should have now. */
export function nextSize(rollout: Rollout, all: readonly StoredReplicaSet[], current: StoredReplicaSet | undefined) {
  const wanted = desiredReplicas(rollout)
  if (!isRolling(rollout)) return wanted
  const have = replicasOf(current)
  const room = wanted + limitsOf(rollout).surge - sumOf(all, replicasOf)
  return room <= 0 ? have : have + Math.min(room, wanted - have)
}

async function createSet(
  rollout: Rollout,
  all: readonly StoredReplicaSet[],
  revision: number,
): Promise<StoredReplicaSet> {
  const { deployment } = rollout
  const { template, selector, minReadySeconds } = specOf(rollout)
  const hash = shortHash(template, deployment.status?.collisionCount)
  const labels = { ...template.metadata?.labels, [hashLabel]: hash }
  const replicas = nextSize(rollout, all, undefined)
  const name = `${deployment.metadata.name}-${hash}`
  const set: StoredReplicaSet = {
    metadata: {
      name,
      namespace: deployment.metadata.namespace ?? '',
      labels,
      annotations: { ...copiedAnnotations(rollout, {}, revision), ...sizeAnnotations(rollout) },
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas,
      ...(minReadySeconds ? { minReadySeconds } : {}),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [hashLabel]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  }
  try {
    const made = await rollout.replicaSets.create(set)
    if (replicas > 0) recordScaling(rollout, made, true, replicas)
    return made
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'AlreadyExists') return existing(rollout, name)
    const message = error instanceof Error ? error.message : String(error)
    await writeProgress(rollout, 'False', 'FailedCreate', `Failed to create new replica set "${name}": ${message}`)
    throw error
  }
}

/** The name is taken: by a set that is not in the cache yet, or by another template with the same hash. */
async function existing(rollout: Rollout, name: string): Promise<StoredReplicaSet> {
  const found = await rollout.replicaSets.in(rollout.deployment.metadata.namespace ?? '').get(name)
  const isOurs = (found.metadata.ownerReferences ?? []).some(({ uid }) => uid === rollout.deployment.metadata.uid)
  if (isOurs && isSameTemplate(found.spec?.template, specOf(rollout).template)) return found
  const collisionCount = (rollout.deployment.status?.collisionCount ?? 0) + 1
  const status = { ...rollout.deployment.status, collisionCount }
  rollout.deployment = await rollout.deployments.updateSubresource('status', { ...rollout.deployment, status })
  throw new Error(`the name ${name} is taken by another replica set`)
}

/** Writes the revision to the deployment, and the condition Progressing if it is missing. */
async function recordRevision(
  rollout: Rollout,
  revision: string,
  set: StoredReplicaSet,
  reason: 'FoundNewReplicaSet' | 'NewReplicaSetCreated',
): Promise<void> {
  const { deployment, names } = rollout
  const isRecorded = deployment.metadata.annotations?.[names.revision] === revision
  const hasProgress = (deployment.status?.conditions ?? []).some(({ type }) => type === 'Progressing')
  const hasCondition =
    specOf(rollout).progressDeadlineSeconds === undefined || (hasProgress && reason === 'FoundNewReplicaSet')
  if (isRecorded && hasCondition) return
  const annotations = { ...deployment.metadata.annotations, [names.revision]: revision }
  rollout.deployment = { ...deployment, metadata: { ...deployment.metadata, annotations } }
  const message = `${reason === 'FoundNewReplicaSet' ? 'Found' : 'Created'} new replica set "${set.metadata.name}"`
  if (hasCondition) rollout.deployment = await rollout.deployments.updateSubresource('status', rollout.deployment)
  else await writeProgress(rollout, 'True', reason, message)
}

async function writeProgress(rollout: Rollout, status: string, reason: string, message: string): Promise<void> {
  const conditions = setCondition(rollout.deployment.status?.conditions ?? [], {
    type: 'Progressing',
    status,
    reason,
    message,
    now: rollout.clock.now(),
  })
  const changed = { ...rollout.deployment, status: { ...rollout.deployment.status, conditions } }
  rollout.deployment = await rollout.deployments.updateSubresource('status', changed)
}
