import type { ObjectMeta } from 'orch/sdk'
import type { AutoscalingNames } from '../names.js'
import { writeBehavior } from './behavior-text.js'
import { fromOldSpec, fromOldStatus, toOldSpec, toOldStatus } from './convert-metrics.js'
import type { AutoscalerCondition, MetricSpec, MetricStatus } from './metric-structs.js'
import { readBehavior, readConditions, readMeasured, readMetrics } from './read-annotations.js'
import type { HorizontalPodAutoscaler } from './schema.js'
import type { HorizontalPodAutoscaler as V1 } from './schema-v1.js'
import type { HorizontalPodAutoscaler as V2beta1 } from './schema-v2beta1.js'

type Annotations = Record<string, string>

/** Whether v1 has a field for the metric. */
export const isCpuUtilization = ({ type, resource }: MetricSpec): boolean =>
  type === 'Resource' && resource?.name === 'cpu' && resource.target.averageUtilization !== undefined
/** The default metric: 80% of the cpu that Pods request. */
export const defaultMetrics = (averageUtilization = 80): MetricSpec[] => [
  { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } },
]

/** The metadata with this plugin's annotations replaced. */
function withAnnotations(metadata: ObjectMeta | undefined, names: AutoscalingNames, added: Annotations): ObjectMeta {
  const own = new Set(names.all)
  const { annotations, ...rest } = metadata ?? {}
  const kept = Object.fromEntries(Object.entries(annotations ?? {}).filter(([key]) => !own.has(key)))
  const all = { ...kept, ...added }
  return Object.keys(all).length > 0 ? { ...rest, annotations: all } : rest
}

/** JSON as Go writes it, with HTML characters escaped. */
const asText = (value: unknown): string =>
  JSON.stringify(value).replace(/[<>&]/g, c => `\\u00${c.charCodeAt(0).toString(16)}`)

/** Fields that mean the same in all versions. */
const shared = ({ scaleTargetRef, minReplicas, maxReplicas }: NonNullable<V1['spec']>) => ({
  scaleTargetRef,
  ...(minReplicas === undefined ? {} : { minReplicas }),
  maxReplicas,
})
const observed = (status: V1['status']) => {
  const { observedGeneration, lastScaleTime, currentReplicas = 0, desiredReplicas = 0 } = status ?? {}
  return {
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    ...(lastScaleTime === undefined ? {} : { lastScaleTime }),
    currentReplicas,
    desiredReplicas,
  }
}
/** Where an empty list is written as null. */
const orNull = <T>(list: readonly T[] | null | undefined) => (list && list.length > 0 ? list : null)
const orNothing = <T>(name: string, list: readonly T[] | null | undefined) =>
  list && list.length > 0 ? { [name]: list } : {}

/**
 * Defaults of a version, together with the annotations that it has instead of fields: those that mean nothing disappear as soon
 * as an object is read, and the others get the text that they are stored as, so that nobody owns what is not there.
 */
export const withReadAnnotations =
  <T extends { metadata?: ObjectMeta }>(
    names: AutoscalingNames,
    fill: (autoscaler: T) => void,
    /** Left out for a version that has a field for everything. */
    conversion?: Conversion<T>,
  ) =>
  (autoscaler: T): void => {
    fill(autoscaler)
    const { annotations = {} } = autoscaler.metadata ?? {}
    if (!names.all.some(name => name in annotations)) return
    const converted = conversion?.fromStorage(conversion.toStorage(autoscaler))
    const read = Object.entries(converted?.metadata?.annotations ?? {}).filter(([key]) => names.all.includes(key))
    autoscaler.metadata = withAnnotations(autoscaler.metadata, names, Object.fromEntries(read))
  }
interface Conversion<T> {
  toStorage(autoscaler: T): HorizontalPodAutoscaler
  fromStorage(stored: HorizontalPodAutoscaler): T
}

/** The cpu utilization has a default in v1, unless an annotation has metrics. */
export const fillV1 =
  (names: AutoscalingNames) =>
  ({ metadata, spec }: V1): void => {
    const others = readMetrics(metadata?.annotations?.[names.metrics]) ?? []
    if (spec && others.length === 0) spec.targetCPUUtilizationPercentage ??= 80
  }

/** Converts from and to v1, which has fields for the cpu only: annotations contain the rest. */
export const v1Conversion = (
  names: AutoscalingNames,
  { includesTolerance = false, dropsZeroTargets = false } = {},
) => ({
  toStorage({ metadata, spec, status }: V1): HorizontalPodAutoscaler {
    const annotations = metadata?.annotations ?? {}
    const others = (readMetrics(annotations[names.metrics]) ?? []).map(old => fromOldSpec(old, dropsZeroTargets))
    const cpu = spec?.targetCPUUtilizationPercentage
    const metrics = [...others, ...(cpu === undefined ? [] : defaultMetrics(cpu))]
    const behavior = readBehavior(annotations[names.behavior], includesTolerance)
    const measured = readMeasured(annotations[names.currentMetrics])?.map(fromOldStatus)
    const current = status?.currentCPUUtilizationPercentage
    const cpuStatus: MetricStatus[] =
      current === undefined
        ? []
        : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: current } } }]
    const conditions = readConditions(annotations[names.conditions]) ?? []
    return {
      metadata: withAnnotations(metadata, names, {}),
      spec: {
        ...shared(spec ?? ({} as NonNullable<V1['spec']>)),
        ...orNothing('metrics', metrics),
        ...(behavior ? { behavior } : {}),
      },
      status: {
        ...observed(status),
        ...orNothing('currentMetrics', measured ?? cpuStatus),
        ...orNothing('conditions', conditions),
      },
    }
  },
  fromStorage({ metadata, spec, status }: HorizontalPodAutoscaler): V1 {
    const metrics = spec?.metrics ?? []
    const others = metrics.filter(metric => !isCpuUtilization(metric)).map(toOldSpec)
    const measured = (status?.currentMetrics ?? []).map(toOldStatus)
    const conditions = (status?.conditions ?? []).map(orderedCondition)
    const cpu = metrics.find(isCpuUtilization)?.resource?.target.averageUtilization
    const current = (status?.currentMetrics ?? []).findLast(
      ({ type, resource }) =>
        type === 'Resource' && resource?.name === 'cpu' && resource.current.averageUtilization !== undefined,
    )?.resource?.current.averageUtilization
    const added: Annotations = {
      ...(others.length > 0 ? { [names.metrics]: asText(others) } : {}),
      ...(measured.length > 0 ? { [names.currentMetrics]: asText(measured) } : {}),
      ...(spec?.behavior ? { [names.behavior]: writeBehavior(spec.behavior, includesTolerance) } : {}),
      ...(conditions.length > 0 ? { [names.conditions]: asText(conditions) } : {}),
    }
    return {
      metadata: withAnnotations(metadata, names, added),
      spec: {
        ...shared(spec ?? ({} as NonNullable<V1['spec']>)),
        ...(cpu === undefined ? {} : { targetCPUUtilizationPercentage: cpu }),
      },
      status: {
        ...observed(status as V1['status']),
        ...(current === undefined ? {} : { currentCPUUtilizationPercentage: current }),
      },
    }
  },
})

const orderedCondition = ({ type, status, lastTransitionTime, reason, message }: AutoscalerCondition) => ({
  type,
  status,
  lastTransitionTime: lastTransitionTime ?? null,
  ...(reason ? { reason } : {}),
  ...(message ? { message } : {}),
})

/** Converts from and to v2beta1, which has no behavior and different fields for metrics. */
export const v2beta1Conversion = (names: AutoscalingNames) => ({
  toStorage({ metadata, spec, status }: V2beta1): HorizontalPodAutoscaler {
    const behavior = readBehavior(metadata?.annotations?.[names.behavior], false)
    return {
      metadata: withAnnotations(metadata, names, {}),
      spec: {
        ...shared(spec ?? ({} as NonNullable<V1['spec']>)),
        ...orNothing(
          'metrics',
          spec?.metrics?.map(old => fromOldSpec(old)),
        ),
        ...(behavior ? { behavior } : {}),
      },
      status: {
        ...observed(status),
        ...orNothing('currentMetrics', status?.currentMetrics?.map(fromOldStatus)),
        ...orNothing('conditions', status?.conditions),
      },
    }
  },
  fromStorage({ metadata, spec, status }: HorizontalPodAutoscaler): V2beta1 {
    const added = spec?.behavior ? { [names.behavior]: writeBehavior(spec.behavior, false) } : {}
    return {
      metadata: withAnnotations(metadata, names, added),
      spec: {
        ...shared(spec ?? ({} as NonNullable<V1['spec']>)),
        ...orNothing('metrics', spec?.metrics?.map(toOldSpec)),
      },
      status: {
        ...observed(status as V1['status']),
        currentMetrics: orNull(status?.currentMetrics?.map(toOldStatus)),
        conditions: orNull(status?.conditions),
      },
    } as V2beta1
  },
})

/** Converts from and to v2beta2, which has the same fields as v2. */
export const v2beta2Conversion = (names: AutoscalingNames) => ({
  toStorage: ({ metadata, spec, status }: HorizontalPodAutoscaler): HorizontalPodAutoscaler => ({
    metadata: withAnnotations(metadata, names, {}),
    ...(spec ? { spec } : {}),
    status: {
      ...observed(status as V1['status']),
      ...orNothing('currentMetrics', status?.currentMetrics),
      ...orNothing('conditions', status?.conditions),
    },
  }),
  fromStorage: ({ metadata, spec, status }: HorizontalPodAutoscaler) => ({
    metadata: withAnnotations(metadata, names, {}),
    ...(spec ? { spec } : {}),
    status: {
      ...observed(status as V1['status']),
      currentMetrics: orNull(status?.currentMetrics),
      conditions: orNull(status?.conditions),
    },
  }),
})
