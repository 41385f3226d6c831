import { isDeepStrictEqual } from 'node:util'
import type { ApiObject, Vendor } from 'orch/sdk'
import { timestampOf } from 'orch/sdk'
import type { Client, ResourceClient } from 'orch/sdk/client'
import {
  allow,
  createEventRecorder,
  defineControlLoop,
  type EventRecorder,
  type LoopCaches,
  podCollection,
  recordEvents,
  splitKey,
  withCondition,
  withoutConflicts,
} from 'orch/sdk/controllers'
import type { Scale } from 'orch/sdk/core'
import { externalMetrics, heapster } from '../../differences.js'
import type { MetricStatus } from '../metric-structs.js'
import { autoscalerCollection, type HorizontalPodAutoscaler, type HorizontalPodAutoscalerStatus } from '../schema.js'
import { limitReplicas, newHistory, type Reasoned, type ScalingHistory } from './desired-replicas.js'
import { type Measured, measureMetric, UnknownMetric } from './metric-sources.js'
import { MetricsApis } from './metrics-apis.js'
import { defaultTolerance, type StoredPod, type Tolerances } from './replica-calculator.js'
import { milliOf } from './thousandths.js'

type StoredAutoscaler = ApiObject & HorizontalPodAutoscaler
/** How often every autoscaler is reconciled. */
const periodMs = 15_000

const readyForNewScale: Reasoned = {
  reason: 'ReadyForNewScale',
  message: 'recommended size matches current size',
}

interface Work {
  readonly client: Client
  readonly apis: MetricsApis
  readonly events: EventRecorder
  readonly histories: Map<string, ScalingHistory>
  now(): number
}
/** Scales targets by the metrics that the metrics APIs report. */
export const autoscalerLoop = (vendor: Vendor) =>
  defineControlLoop({
    name: 'horizontalpodautoscaling',
    account: 'horizontal-pod-autoscaler',
    rules: [
      allow('get list watch', 'autoscaling', 'horizontalpodautoscalers'),
      allow('update', 'autoscaling', 'horizontalpodautoscalers/status'),
      allow('get update', '*', '*/scale'),
      allow('list', '', 'pods'),
      ...(vendor.level.has(heapster)
        ? [allow('get', '', 'services/proxy', ['http:heapster:', 'https:heapster:'])]
        : []),
      allow('list', vendor.group('metrics'), 'pods'),
      allow('get list', vendor.group('custom.metrics'), '*'),
      ...(vendor.level.has(externalMetrics) ? [allow('get list', vendor.group('external.metrics'), '*')] : []),
      recordEvents(vendor),
    ],
    setUp(runtime) {
      const autoscalers = runtime.client.resource<StoredAutoscaler>(autoscalerCollection)
      const work: Work = {
        client: runtime.client,
        apis: new MetricsApis(runtime.client, vendor),
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
        const status = await reconcileAutoscaler(work, key, autoscaler)
        if (!isDeepStrictEqual(status, autoscaler.status))
          await autoscalers.updateSubresource('status', { ...autoscaler, status })
        return { requeueAfterMs: periodMs }
      }
      return {
        sources: [
          {
            resource: autoscalerCollection,
            // Status updates are ignored.
            keys: (object: StoredAutoscaler, previous: StoredAutoscaler | undefined) =>
              previous && isDeepStrictEqual(object.spec, previous.spec)
                ? []
                : [`${object.metadata.namespace}/${object.metadata.name}`],
          },
        ],
        reconcile: withoutConflicts(reconcile),
      }
    },
  })

async function reconcileAutoscaler(
  work: Work,
  key: string,
  autoscaler: StoredAutoscaler,
): Promise<HorizontalPodAutoscalerStatus> {
  const status: HorizontalPodAutoscalerStatus = { desiredReplicas: 0, ...autoscaler.status }
  const setCondition = (type: string, is: boolean, reason: string, message: string) => {
    status.conditions = withCondition(
      status.conditions ?? [],
      { type, status: is ? 'True' : 'False', reason, message },
      work.now(),
    )
  }
  const { minReplicas = 1, maxReplicas = 0, behavior } = autoscaler.spec ?? {}
  let target: ScaleTarget
  try {
    target = await findScale(work.client, autoscaler)
  } catch (error) {
    const message = (error as Error).message
    setCondition(
      'AbleToScale',
      false,
      'FailedGetScale',
      `the HPA controller was unable to get the target's current scale: ${message}`,
    )
    void work.events.record(autoscaler, 'Warning', 'FailedGetScale', message)
    return status
  }
  const { scale } = target
  const current = scale.spec?.replicas ?? 0
  status.currentReplicas = scale.status?.replicas ?? 0
  setCondition(
    'AbleToScale',
    true,
    'SucceededGetScale',
    "the HPA controller was able to get the target's current scale",
  )
  if (current === 0 && minReplicas !== 0) {
    setCondition(
      'ScalingActive',
      false,
      'ScalingDisabled',
      'scaling is disabled since the replica count of the target is zero',
    )
    status.desiredReplicas = 0
    return withoutZeros(status)
  }
  const history = work.histories.get(key) ?? newHistory()
  work.histories.set(key, history)
  let desired = current
  let why = ''
  if (current > maxReplicas) {
    desired = maxReplicas
    why = 'Current number of replicas above Spec.MaxReplicas'
  } else if (current < minReplicas) {
    desired = minReplicas
    why = 'Current number of replicas below Spec.MinReplicas'
  } else {
    try {
      const measured = await measure(work, autoscaler, scale, current)
      status.currentMetrics = measured.statuses
      const found = `the HPA was able to successfully calculate a replica count from ${measured.name}`
      setCondition('ScalingActive', true, 'ValidMetricFound', found)
      const bounds = { min: minReplicas, max: maxReplicas, behavior }
      const { replicas, limit, stabilized } = limitReplicas(measured.replicas, current, bounds, history, work.now())
      desired = replicas
      const { reason, message } = stabilized ?? readyForNewScale
      setCondition('AbleToScale', true, reason, message)
      if (limit) setCondition('ScalingLimited', true, limit.reason, limit.message)
      else
        setCondition('ScalingLimited', false, 'DesiredWithinRange', 'the desired count is within the acceptable range')
      why = desired > current ? `${measured.name} above target` : 'All metrics below target'
    } catch (error) {
      if (!(error instanceof Unscalable)) throw error
      setCondition('ScalingActive', false, error.reason, error.message)
      return withoutZeros(status)
    }
  }
  status.desiredReplicas = desired
  if (desired !== current) {
    await target.collection.updateSubresource('scale', { ...scale, spec: { replicas: desired } })
    history.changes.push({ at: work.now(), by: desired - current })
    status.lastScaleTime = timestampOf(work.now())
    setCondition(
      'AbleToScale',
      true,
      'SucceededRescale',
      `the HPA controller was able to update the target scale to ${desired}`,
    )
    void work.events.record(autoscaler, 'Normal', 'SuccessfulRescale', `New size: ${desired}; reason: ${why}`)
  }
  return withoutZeros(status)
}

/** As it is stored: without a count of zero. */
function withoutZeros(status: HorizontalPodAutoscalerStatus): HorizontalPodAutoscalerStatus {
  const { currentReplicas = 0, ...rest } = status
  return currentReplicas === 0 ? rest : { currentReplicas, ...rest }
}

type StoredScale = ApiObject & Scale
interface ScaleTarget {
  readonly collection: ResourceClient<StoredScale>
  readonly scale: StoredScale
}

/** The target, in the namespace of the autoscaler: the client rejects names that refer to another path. */
async function findScale(client: Client, { metadata, spec }: StoredAutoscaler): Promise<ScaleTarget> {
  const { kind = '', name = '', apiVersion } = spec?.scaleTargetRef ?? {}
  const known = await client.kinds()
  const found = known.find(kind, apiVersion) ?? (await client.kinds({ fresh: true })).find(kind, apiVersion)
  if (!found) throw new Error(`no matches for kind "${kind}" in group "${apiVersion ?? ''}"`)
  const collection = client.resource<StoredScale>(found).in(metadata.namespace ?? '')
  return { collection, scale: await collection.getSubresource<StoredScale>(name, 'scale') }
}

function tolerancesOf({ spec }: StoredAutoscaler): Tolerances {
  const toleranceOf = (text: string | undefined) => (text === undefined ? defaultTolerance : milliOf(text) / 1000)
  const { scaleUp, scaleDown } = spec?.behavior ?? {}
  return { up: toleranceOf(scaleUp?.tolerance), down: toleranceOf(scaleDown?.tolerance) }
}

/** The replica count cannot be calculated: reason and message for the condition. */
class Unscalable extends Error {
  readonly reason: string
  constructor(reason: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}
interface Recommendation {
  readonly replicas: number
  /** The metric with this replica count. */
  readonly name: string
  readonly statuses: MetricStatus[]
}

/**
 * The largest replica count of any metric. A metric that cannot be read is ignored if the others scale up, because it
 * could only increase the result; it prevents scaling down.
 */
async function measure(
  { client, apis, events, now }: Work,
  autoscaler: StoredAutoscaler,
  scale: Scale,
  current: number,
): Promise<Recommendation> {
  const labelSelector = scale.status?.selector ?? ''
  const { namespace = '' } = autoscaler.metadata
  if (labelSelector === '') {
    void events.record(autoscaler, 'Warning', 'SelectorRequired', 'selector is required')
    throw new Unscalable('InvalidSelector', "the HPA target's scale is missing a selector")
  }
  let listed: Promise<readonly StoredPod[]> | undefined
  const pods = () =>
    (listed ??= client
      .resource<StoredPod>(podCollection)
      .in(namespace)
      .list({ labelSelector })
      .then(({ items }) => items))
  const tolerances = tolerancesOf(autoscaler)
  const measuring = { apis, namespace, scale, now: now(), tolerances, pods }
  const metrics = autoscaler.spec?.metrics ?? []
  const found: Measured[] = []
  const failures: UnknownMetric[] = []
  for (const metric of metrics) {
    try {
      found.push(await measureMetric(metric, measuring))
    } catch (error) {
      if (!(error instanceof UnknownMetric)) throw error
      void events.record(autoscaler, 'Warning', error.reason, error.message)
      failures.push(error)
    }
  }
  const most = found.reduce<Measured | undefined>(
    (best, one) => (best && best.replicas >= one.replicas ? best : one),
    undefined,
  )
  const [first] = failures
  if (first && (!most || most.replicas < current)) {
    const message = `invalid metrics (${failures.length} invalid out of ${metrics.length}), first error is: ${first.message}`
    void events.record(autoscaler, 'Warning', 'FailedComputeMetricsReplicas', message)
    throw new Unscalable(first.reason, `the HPA was unable to compute the replica count: ${first.message}`, first)
  }
  return { replicas: most?.replicas ?? 0, name: most?.name ?? '', statuses: found.map(({ status }) => status) }
}
