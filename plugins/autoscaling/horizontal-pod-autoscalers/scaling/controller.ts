import { isDeepStrictEqual } from 'node:util'
import {
  ApiError,
  type ApiObject,
  defineController,
  ownValue,
  parseQuantity,
  quantityValue,
  type Vendor,
} from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import {
  allow,
  createEventRecorder,
  type EventRecorder,
  isPodActive,
  type LoopCaches,
  loopNeeds,
  recordEvents,
  splitKey,
  startControlLoop,
  timestampOf,
  withoutConflicts,
} from 'orch/sdk/controllers'
import type { Pod, Scale } from 'orch/sdk/core'
import type { AutoscalerCondition, MetricStatus } from '../metric-structs.js'
import { autoscalerCollection, type HorizontalPodAutoscaler, type HorizontalPodAutoscalerStatus } from '../schema.js'
import { limited, type Recommendations, replicasFor, type Usage } from './desired-replicas.js'

type StoredAutoscaler = ApiObject & HorizontalPodAutoscaler
/** How often every autoscaler looks at what is measured. */
const periodMs = 15_000
const milliOf = (quantity: string): number => Number(quantityValue(parseQuantity(quantity), -3))

interface Work {
  readonly client: Client
  readonly vendor: Vendor
  readonly events: EventRecorder
  readonly histories: Map<string, Recommendations>
  now(): number
}
/** Why a metric cannot be read, with the reason for the condition. */
class Unknown extends Error {
  readonly reason: string
  constructor(reason: string, message: string) {
    super(message)
    this.reason = reason
  }
}

/** Scales Pods by the usage that a metrics API reports, where there is one. */
export const autoscalerLoop = (vendor: Vendor) =>
  defineController({
    name: 'horizontalpodautoscaling',
    account: 'horizontal-pod-autoscaler',
    rules: [
      allow('get list watch', 'autoscaling', 'horizontalpodautoscalers'),
      allow('update', 'autoscaling', 'horizontalpodautoscalers/status'),
      allow('get update', '*', '*/scale'),
      allow('list', '', 'pods'),
      allow('get', '', 'services/proxy', ['http:heapster:', 'https:heapster:']),
      allow('list', vendor.group('metrics'), 'pods'),
      allow('get list', vendor.group('custom.metrics'), '*'),
      recordEvents(vendor),
    ],
    needs: loopNeeds,
    start(runtime) {
      const autoscalers = runtime.client.resource<StoredAutoscaler>(autoscalerCollection)
      const work: Work = {
        client: runtime.client,
        vendor,
        events: createEventRecorder({ ...runtime, component: 'horizontal-pod-autoscaler' }),
        histories: new Map(),
        now: () => runtime.clock.now(),
      }
      const reconcile = async (key: string, caches: LoopCaches) => {
        const { namespace, name } = splitKey(key)
        const autoscaler = caches.of<StoredAutoscaler>(autoscalerCollection).get(namespace, name)
        if (!autoscaler) {
          work.histories.delete(key)
          return
        }
        const status = await turn(work, key, autoscaler)
        if (!isDeepStrictEqual(status, autoscaler.status))
          await autoscalers.updateSubresource('status', { ...autoscaler, status })
        return { requeueAfterMs: periodMs }
      }
      return startControlLoop({
        ...runtime,
        name: 'horizontalpodautoscaling',
        sources: [
          {
            resource: autoscalerCollection,
            // Its own status updates are ignored.
            keys: (object: StoredAutoscaler, previous: StoredAutoscaler | undefined) =>
              previous && isDeepStrictEqual(object.spec, previous.spec)
                ? []
                : [`${object.metadata.namespace}/${object.metadata.name}`],
          },
        ],
        reconcile: withoutConflicts(reconcile),
      })
    },
  })

async function turn(work: Work, key: string, autoscaler: StoredAutoscaler): Promise<HorizontalPodAutoscalerStatus> {
  const status: HorizontalPodAutoscalerStatus = { desiredReplicas: 0, ...autoscaler.status }
  const say = (type: string, is: boolean, reason: string, message: string) => {
    status.conditions = withCondition(
      status.conditions ?? [],
      { type, status: is ? 'True' : 'False', reason, message },
      work.now(),
    )
  }
  const { minReplicas = 1, maxReplicas = 0, behavior } = autoscaler.spec ?? {}
  let target: { path: string; scale: Scale }
  try {
    target = await findScale(work.client, autoscaler)
  } catch (error) {
    const message = (error as Error).message
    say(
      'AbleToScale',
      false,
      'FailedGetScale',
      `the HPA controller was unable to get the target's current scale: ${message}`,
    )
    void work.events.record(autoscaler, 'Warning', 'FailedGetScale', message)
    return status
  }
  const { path, scale } = target
  const current = scale.spec?.replicas ?? 0
  status.currentReplicas = scale.status?.replicas ?? 0
  say('AbleToScale', true, 'SucceededGetScale', "the HPA controller was able to get the target's current scale")
  if (current === 0 && minReplicas !== 0) {
    say('ScalingActive', false, 'ScalingDisabled', 'scaling is disabled since the replica count of the target is zero')
    status.desiredReplicas = 0
    return withoutZeros(status)
  }
  let desired = current
  if (current > maxReplicas) desired = maxReplicas
  else if (current < minReplicas) desired = minReplicas
  else {
    try {
      const measured = await measure(work, autoscaler, scale, current)
      status.currentMetrics = measured.statuses
      say('ScalingActive', true, 'ValidMetricFound', 'the HPA was able to successfully calculate a replica count')
      const history = work.histories.get(key) ?? []
      work.histories.set(key, history)
      const { stabilizationWindowSeconds: downWindowSeconds } = behavior?.scaleDown ?? {}
      const bounds = {
        min: minReplicas,
        max: maxReplicas,
        ...(downWindowSeconds === undefined ? {} : { downWindowSeconds }),
      }
      const { replicas, reason } = limited(measured.replicas, current, bounds, history, work.now())
      desired = replicas
      say(
        'ScalingLimited',
        reason !== undefined,
        reason ?? 'DesiredWithinRange',
        reason ? 'the desired replica count is limited' : 'the desired count is within the acceptable range',
      )
      if (behavior?.scaleDown?.selectPolicy === 'Disabled') desired = Math.max(desired, current)
      if (behavior?.scaleUp?.selectPolicy === 'Disabled') desired = Math.min(desired, current)
    } catch (error) {
      if (!(error instanceof Unknown)) throw error
      say('ScalingActive', false, error.reason, `the HPA was unable to compute the replica count: ${error.message}`)
      void work.events.record(autoscaler, 'Warning', error.reason, error.message)
      return withoutZeros(status)
    }
  }
  status.desiredReplicas = desired
  if (desired !== current) {
    await work.client.request({
      method: 'PUT',
      path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...scale, spec: { replicas: desired } }),
    })
    status.lastScaleTime = timestampOf(work.now())
    say('AbleToScale', true, 'SucceededRescale', `the HPA controller was able to update the target scale to ${desired}`)
    void work.events.record(autoscaler, 'Normal', 'SuccessfulRescale', `New size: ${desired}`)
  } else say('AbleToScale', true, 'ReadyForNewScale', 'recommended size matches current size')
  return withoutZeros(status)
}

/** As it is stored: a count of zero is left out. */
function withoutZeros(status: HorizontalPodAutoscalerStatus): HorizontalPodAutoscalerStatus {
  const { currentReplicas = 0, ...rest } = status
  return currentReplicas === 0 ? rest : { currentReplicas, ...rest }
}

function withCondition(
  conditions: readonly AutoscalerCondition[],
  said: { type: string; status: string; reason: string; message: string },
  now: number,
): AutoscalerCondition[] {
  const before = conditions.find(({ type }) => type === said.type)
  const lastTransitionTime =
    before?.status === said.status && before.lastTransitionTime ? before.lastTransitionTime : timestampOf(now)
  const next = { ...said, lastTransitionTime }
  return before ? conditions.map(one => (one === before ? next : one)) : [...conditions, next]
}

async function findScale(
  client: Client,
  { metadata, spec }: StoredAutoscaler,
): Promise<{ path: string; scale: Scale }> {
  const { kind = '', name = '', apiVersion } = spec?.scaleTargetRef ?? {}
  const known = await client.kinds()
  const found = known.find(kind, apiVersion) ?? (await client.kinds({ fresh: true })).find(kind, apiVersion)
  if (!found) throw new Error(`no matches for kind "${kind}" in group "${apiVersion ?? ''}"`)
  const root = found.group === '' ? '/api' : `/apis/${found.group}`
  const path = `${root}/${found.version}/namespaces/${metadata.namespace}/${found.resource}/${name}/scale`
  return { path, scale: await client.request<Scale>({ method: 'GET', path, headers: {} }) }
}

/** The largest replica count that any metric asks for. */
async function measure(
  work: Work,
  { metadata, spec }: StoredAutoscaler,
  scale: Scale,
  current: number,
): Promise<{ replicas: number; statuses: MetricStatus[] }> {
  const statuses: MetricStatus[] = []
  let replicas = 0
  for (const metric of spec?.metrics ?? []) {
    if (metric.type !== 'Resource')
      throw new Unknown(`FailedGet${metric.type}Metric`, `metrics of type ${metric.type} are not known to this server`)
    try {
      const usage = await usageOf(
        work,
        metadata.namespace ?? '',
        metric.resource?.name ?? '',
        scale.status?.selector ?? '',
      )
      const found = replicasFor(metric, usage, current, milliOf)
      replicas = Math.max(replicas, found.replicas)
      statuses.push(found.status)
    } catch (error) {
      const why = error instanceof ApiError ? 'unable to fetch metrics from the resource metrics API: ' : ''
      throw new Unknown(
        'FailedGetResourceMetric',
        `failed to get ${metric.resource?.name} utilization: ${why}${(error as Error).message}`,
      )
    }
  }
  return { replicas, statuses }
}

interface PodMetrics extends ApiObject {
  containers?: { name: string; usage: Record<string, string> }[]
}
/** What the Pods of a selector use, where the metrics API knows it, and what those ask for. */
async function usageOf(
  { client, vendor }: Work,
  namespace: string,
  resource: string,
  labelSelector: string,
): Promise<Usage> {
  const path = `/apis/${vendor.group('metrics')}/v1beta1/namespaces/${namespace}/pods`
  const query = `${path}?${new URLSearchParams({ labelSelector })}`
  const { items } = await client.request<{ items: PodMetrics[] }>({ method: 'GET', path: query, headers: {} })
  const pods = await client
    .resource<Pod & ApiObject>({ group: '', version: 'v1', resource: 'pods' })
    .in(namespace)
    .list({ labelSelector })
  const used: number[] = []
  const requested: number[] = []
  for (const pod of pods.items.filter(isPodActive)) {
    const measured = items.find(({ metadata }) => metadata.name === pod.metadata.name)
    if (!measured) continue
    const total = (amounts: (string | undefined)[]) => amounts.reduce((sum, one) => sum + milliOf(one ?? '0'), 0)
    used.push(total((measured.containers ?? []).map(({ usage }) => ownValue(usage, resource))))
    requested.push(total(pod.spec.containers.map(({ resources }) => ownValue(resources?.requests, resource))))
  }
  return { used, requested }
}
