import { isDeepStrictEqual } from 'node:util'
import type { Client, ResourceRef } from '../../client/client.js'
import type { Pod } from '../../core/pod.js'
import { podAnnotations } from '../../core/pod-spec/pod-annotations.js'
import type { PodTemplateSpec } from '../../core/pod-spec.js'
import type { Clock, Logger, Metrics } from '../../plugin/basic-services.js'
import type { Vendor } from '../../plugin/vendor.js'
import type { ApiObject } from '../../resource/meta.js'
import { timestampOf } from '../../resource/timestamp.js'
import { keyOf, type LoopCaches, splitKey } from '../control-loop.js'
import { createEventRecorder } from '../event-recorder.js'
import { ownerKeys } from '../owner-keys.js'
import { startControlLoop } from '../start-control-loop.js'
import { candidatesOf, claimObjects, controllerOf } from './claim-objects.js'
import { podCollection, soonest, withoutConflicts } from './loop-parts.js'
import { isPodActive, isPodReady, isPodTerminating, msUntilAvailable, podReadySince } from './pod-state.js'
import { inGrowingBatches, PodWriter, podOfTemplate } from './pods-of-template.js'
import { UnseenWrites } from './unseen-writes.js'

const phases = ['Pending', 'Unknown', 'Running']
const phaseOf = ({ status }: Pod) => Math.max(0, phases.indexOf(status?.phase ?? 'Pending'))
const restartsOf = ({ status }: Pod) =>
  (status?.containerStatuses ?? []).reduce((most, { restartCount = 0 }) => Math.max(most, restartCount), 0)

/**
 * Pods in the order in which surplus ones are deleted: first those that are not on a node, not running, not ready; then those
 * with a low deletion cost, those that share their node with others, and the youngest.
 */
export function inDeleteOrder<T extends Pod & ApiObject>(pods: readonly T[], vendor: Vendor): T[] {
  const costAnnotation = podAnnotations(vendor).deletionCost
  const costOf = ({ metadata }: T) => Number(metadata.annotations?.[costAnnotation] ?? 0) || 0
  const perNode = new Map<string, number>()
  for (const { spec } of pods) if (spec.nodeName) perNode.set(spec.nodeName, (perNode.get(spec.nodeName) ?? 0) + 1)
  const neighbours = ({ spec }: T) => perNode.get(spec.nodeName ?? '') ?? 0
  const bornAt = ({ metadata }: T) => Date.parse(metadata.creationTimestamp ?? '') || 0
  const ranks: readonly ((pod: T) => number)[] = [
    ({ spec }) => (spec.nodeName ? 1 : 0),
    phaseOf,
    pod => (isPodReady(pod) ? 1 : 0),
    costOf,
    pod => -neighbours(pod),
    pod => -(podReadySince(pod) ?? 0),
    pod => -restartsOf(pod),
    pod => -bornAt(pod),
  ]
  const ranked = pods.map(pod => ({ pod, keys: ranks.map(rank => rank(pod)) }))
  ranked.sort((a, b) => {
    for (const [i, key] of a.keys.entries()) if (key !== b.keys[i]) return key - (b.keys[i] ?? 0)
    return 0
  })
  return ranked.map(({ pod }) => pod)
}

/** How many Pods are created or deleted in one run, so that other owners are not delayed. */
const maxPerRun = 500

type Matcher = (labels: Readonly<Record<string, string>> | undefined) => boolean

/** An object with a desired number of Pods. */
export interface ReplicaOwner extends ApiObject {
  spec?: { replicas?: number; minReadySeconds?: number; template?: PodTemplateSpec }
  status?: ReplicaStatus
}
interface ReplicaStatus {
  replicas: number
  fullyLabeledReplicas?: number
  readyReplicas?: number
  availableReplicas?: number
  terminatingReplicas?: number
  observedGeneration?: number
  conditions?: { type: string; status: string; lastTransitionTime?: string; reason?: string; message?: string }[]
}

/** The type of the owners of a replica loop. */
export interface ReplicaLoopOptions<T extends ReplicaOwner> {
  readonly client: Client
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics?: Metrics
  readonly vendor: Vendor
  /** The name of the loop, and the component that events name. */
  readonly name: string
  readonly component: string
  readonly resource: ResourceRef
  readonly kind: string
  /** Does the status count terminating Pods? Not by default. */
  readonly countsTerminating?: boolean
  matcherOf(owner: T): Matcher
}

/** Keeps the desired number of Pods of each owner: creates missing ones, deletes surplus ones, and writes the status. */
export function startReplicaLoop<T extends ReplicaOwner>(options: ReplicaLoopOptions<T>): Promise<() => Promise<void>> {
  const { client, clock, resource, kind, vendor, matcherOf, countsTerminating = false } = options
  const owners = client.resource<T>(resource)
  const pods = client.resource<Pod & ApiObject>(podCollection)
  const writer = new PodWriter(pods, createEventRecorder(options))
  const unseen = new UnseenWrites()
  let known: LoopCaches | undefined

  /** A Pod without a controller may match an owner in its namespace. */
  const orphanKeys = (pod: ApiObject): string[] =>
    controllerOf(pod)
      ? []
      : (known?.of<T>(resource).list(pod.metadata.namespace) ?? [])
          .filter(owner => matcherOf(owner)(pod.metadata.labels))
          .map(keyOf)
  const owned = ownerKeys(kind, { group: resource.group, controllerOnly: true })

  const scale = async (key: string, owner: T, active: readonly (Pod & ApiObject)[]): Promise<void> => {
    const missing = (owner.spec?.replicas ?? 0) - active.length
    const template = owner.spec?.template ?? {}
    if (missing > 0)
      await inGrowingBatches(Math.min(missing, maxPerRun), async () => {
        const made = await writer.create(owner, podOfTemplate(owner, template))
        if (made) unseen.created(key, made, clock.now())
      })
    if (missing < 0) {
      const leaving = inDeleteOrder(active, vendor).slice(0, Math.min(-missing, maxPerRun))
      await Promise.all(
        leaving.map(async pod => {
          unseen.deleted(key, pod, clock.now())
          await writer.delete(owner, pod)
        }),
      )
    }
  }

  const statusOf = (
    owner: T,
    active: readonly (Pod & ApiObject)[],
    terminating: number | undefined,
    failure: unknown,
  ): [ReplicaStatus, number | undefined] => {
    const { minReadySeconds = 0, template, replicas: wanted = 0 } = owner.spec ?? {}
    const labels = Object.entries(template?.metadata?.labels ?? {})
    const waits = active.map(pod => msUntilAvailable(pod, minReadySeconds, clock.now()))
    const failed = failureCondition(owner, wanted - active.length, failure, clock.now())
    const conditions = [...(owner.status?.conditions ?? []).filter(({ type }) => type !== 'ReplicaFailure'), ...failed]
    const counts = {
      fullyLabeledReplicas: active.filter(({ metadata }) => labels.every(([k, v]) => metadata.labels?.[k] === v))
        .length,
      readyReplicas: active.filter(isPodReady).length,
      availableReplicas: waits.filter(wait => wait === 0).length,
      observedGeneration: owner.metadata.generation ?? 0,
    }
    const status = {
      replicas: active.length,
      ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)),
      ...(terminating === undefined ? {} : { terminatingReplicas: terminating }),
      ...(conditions.length > 0 ? { conditions } : {}),
    }
    return [status, soonest(waits.filter(wait => wait !== 0))]
  }

  const reconcile = async (key: string, caches: LoopCaches) => {
    known = caches
    const { namespace, name } = splitKey(key)
    const owner = caches.of<T>(resource).get(namespace, name)
    if (!owner) return unseen.forget(key)
    const cache = caches.of<Pod & ApiObject>(podCollection)
    if (unseen.isWaiting(key, cache, clock.now())) return { requeueAfterMs: 250 }
    const candidates = candidatesOf(cache, owner)
    const matches = matcherOf(owner)
    const active = await claimObjects({ owner, client: pods, matches, owners }, candidates.filter(isPodActive))
    const terminating = countsTerminating
      ? candidates.filter(pod => isPodTerminating(pod) && controllerOf(pod) && matches(pod.metadata.labels)).length
      : undefined
    let failure: unknown
    if (!owner.metadata.deletionTimestamp)
      await scale(key, owner, active).catch((error: unknown) => {
        failure = error
      })
    const [status, nextMs] = statusOf(owner, active, terminating, failure)
    if (!isDeepStrictEqual(status, owner.status)) await owners.updateSubresource('status', { ...owner, status })
    if (failure) throw failure
    if (nextMs !== undefined) return { requeueAfterMs: nextMs + 100 }
  }

  return startControlLoop({
    ...options,
    workers: 5,
    sources: [
      { resource },
      {
        resource: podCollection,
        keys: (pod: ApiObject, previous: ApiObject | undefined) => [...owned(pod, previous), ...orphanKeys(pod)],
      },
    ],
    reconcile: withoutConflicts(reconcile),
  })
}

function failureCondition(owner: ReplicaOwner, missing: number, failure: unknown, now: number) {
  if (!failure) return []
  const reason = missing > 0 ? 'FailedCreate' : 'FailedDelete'
  const before = (owner.status?.conditions ?? []).find(({ type }) => type === 'ReplicaFailure')
  if (before?.status === 'True' && before.reason === reason) return [before]
  const message = failure instanceof Error ? failure.message : String(failure)
  const lastTransitionTime = timestampOf(now)
  return [{ type: 'ReplicaFailure', status: 'True', lastTransitionTime, reason, message }]
}
