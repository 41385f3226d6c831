import type { ApiObject, Clock } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import type { EventRecorder } from 'orch/sdk/controllers'
import type { ReplicaSet } from '../../replica-sets/schema.js'
import { canonicalJson } from '../../template-hash.js'
import type { Deployment, DeploymentSpec } from '../schema.js'
import type { RolloutNames } from './names.js'

export type StoredDeployment = ApiObject & Deployment
export type StoredReplicaSet = ApiObject & ReplicaSet

/** One turn of work on one deployment. `deployment` is the last known state, also after this turn's own writes. */
export interface Rollout {
  deployment: StoredDeployment
  readonly clock: Clock
  readonly events: EventRecorder
  readonly deployments: ResourceClient<StoredDeployment>
  readonly replicaSets: ResourceClient<StoredReplicaSet>
  readonly names: RolloutNames
  /** Whether the status counts terminating Pods. */
  readonly countsTerminating: boolean
}

export const specOf = ({ deployment }: Pick<Rollout, 'deployment'>): DeploymentSpec =>
  deployment.spec ?? ({} as DeploymentSpec)
export const replicasOf = (set: StoredReplicaSet | undefined): number => set?.spec?.replicas ?? 0
export const wantedBy = (rollout: Pick<Rollout, 'deployment'>): number => specOf(rollout).replicas ?? 0
export const sumOf = (
  sets: readonly StoredReplicaSet[],
  count: (set: StoredReplicaSet) => number | undefined,
): number => sets.reduce((sum, set) => sum + (count(set) ?? 0), 0)
export const isActive = (set: StoredReplicaSet): boolean => replicasOf(set) > 0
export const isRolling = (rollout: Rollout): boolean => specOf(rollout).strategy?.type === 'RollingUpdate'

const bornAt = ({ metadata }: ApiObject) => Date.parse(metadata.creationTimestamp ?? '') || 0
/** Oldest first; those of one second by name. */
export const byAge = (a: ApiObject, b: ApiObject): number =>
  bornAt(a) - bornAt(b) || ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1)

/** A number of Pods or a percentage of `total`, rounded up or down. */
export function shareOf(share: number | string | undefined, total: number, round: 'up' | 'down'): number {
  if (typeof share === 'number') return share
  const exact = (total * (Number.parseInt(share ?? '0', 10) || 0)) / 100
  return round === 'up' ? Math.ceil(exact) : Math.floor(exact)
}

/** How many Pods there may be beyond those wanted, and how many may be missing, while the template changes. */
export function limitsOf(rollout: Rollout): { surge: number; unavailable: number } {
  const wanted = wantedBy(rollout)
  if (!isRolling(rollout)) return { surge: 0, unavailable: 0 }
  const { maxSurge, maxUnavailable } = specOf(rollout).strategy?.rollingUpdate ?? {}
  const surge = shareOf(maxSurge, wanted, 'up')
  const unavailable = shareOf(maxUnavailable, wanted, 'down')
  // Without either nothing would ever move.
  const atLeastOne = surge === 0 && unavailable === 0 ? 1 : unavailable
  return { surge, unavailable: Math.min(atLeastOne, wanted) }
}

/** Equal as JSON, whatever the order of keys. */
export const isSameJson = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b)
