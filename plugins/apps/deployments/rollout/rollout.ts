import type { ApiObject, Clock } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import type { EventRecorder } from 'orch/sdk/controllers'
import type { ReplicaSet } from '../../replica-sets/schema.js'
import { canonicalJson } from '../../template-hash.js'
import type { Deployment, DeploymentSpec } from '../schema.js'
import type { RolloutNames } from './names.js'

export type StoredDeployment = ApiObject & Deployment
export type StoredReplicaSet = ApiObject & ReplicaSet

/** The state of one reconcile of a deployment. `deployment` is updated after each write. */
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
export const desiredReplicas = (rollout: Pick<Rollout, 'deployment'>): number => specOf(rollout).replicas ?? 0
export const sumOf = (
  sets: readonly StoredReplicaSet[],
  count: (set: StoredReplicaSet) => number | undefined,
): number => sets.reduce((sum, set) => sum + (count(set) ?? 0), 0)
export const isActive = (set: StoredReplicaSet): boolean => replicasOf(set) > 0
export const isRolling = (rollout: Rollout): boolean => specOf(rollout).strategy?.type === 'RollingUpdate'

const createdAt = ({ metadata }: ApiObject) => Date.parse(metadata.creationTimestamp ?? '') || 0
/** Oldest first; those of the same second by name. */
export const byAge = (a: ApiObject, b: ApiObject): number =>
  createdAt(a) - createdAt(b) || ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1)

/** A number of Pods or a percentage of `total`, rounded up or down. */
export function shareOf(share: number | string | undefined, total: number, round: 'up' | 'down'): number {
  if (typeof share === 'number') return share
  const exact = (total * (Number.parseInt(share ?? '0', 10) || 0)) / 100
  return round === 'up' ? Math.ceil(exact) : Math.floor(exact)
}

/** How many Pods may exist beyond the desired number, and how many may be unavailable, during an update. */
export function limitsOf(rollout: Rollout): { surge: number; unavailable: number } {
  const wanted = desiredReplicas(rollout)
  if (!isRolling(rollout)) return { surge: 0, unavailable: 0 }
  const { maxSurge, maxUnavailable } = specOf(rollout).strategy?.rollingUpdate ?? {}
  const surge = shareOf(maxSurge, wanted, 'up')
  const unavailable = shareOf(maxUnavailable, wanted, 'down')
  // Otherwise the rollout could never proceed.
  const atLeastOne = surge === 0 && unavailable === 0 ? 1 : unavailable
  return { surge, unavailable: Math.min(atLeastOne, wanted) }
}

/** Equal as JSON, whatever the order of keys. */
export const isSameJson = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b)
