import type { MetricSpec, MetricStatus } from './metric-structs.js'
import type { MetricSpec as OldSpec, MetricStatus as OldStatus } from './schema-v2beta1.js'

/** Removes unset fields. */
const withoutUnset = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as T

/** The value used where an older version cannot express that it is missing. */
const orZero = (quantity: string | undefined) => quantity ?? '0'

/**
 * A metric in the form of the older versions. The order of the fields matters, since it is also used in annotations.
 */
export function toOldSpec({ type, object, pods, resource, containerResource, external }: MetricSpec): OldSpec {
  return withoutUnset({
    type,
    object:
      object &&
      withoutUnset({
        target: orderedReference(object.describedObject),
        metricName: object.metric.name,
        targetValue: orZero(object.target.value),
        selector: object.metric.selector,
        averageValue: object.target.averageValue,
      }),
    pods:
      pods &&
      withoutUnset({
        metricName: pods.metric.name,
        targetAverageValue: orZero(pods.target.averageValue),
        selector: pods.metric.selector,
      }),
    resource:
      resource &&
      withoutUnset({
        name: resource.name,
        targetAverageUtilization: resource.target.averageUtilization,
        targetAverageValue: resource.target.averageValue,
      }),
    containerResource:
      containerResource &&
      withoutUnset({
        name: containerResource.name,
        targetAverageUtilization: containerResource.target.averageUtilization,
        targetAverageValue: containerResource.target.averageValue,
        container: containerResource.container,
      }),
    external:
      external &&
      withoutUnset({
        metricName: external.metric.name,
        metricSelector: external.metric.selector,
        targetValue: external.target.value,
        targetAverageValue: external.target.averageValue,
      }),
  }) as OldSpec
}

interface Reference {
  kind: string
  name: string
  apiVersion?: string
}
const orderedReference = ({ kind, name, apiVersion }: Reference): Reference =>
  apiVersion ? { kind, name, apiVersion } : { kind, name }

const utilizationTarget = (averageUtilization: number | undefined, averageValue: string | undefined) =>
  withoutUnset({
    type: averageUtilization === undefined ? 'AverageValue' : 'Utilization',
    averageValue,
    averageUtilization,
  })

const isZero = (quantity: string) => /^[+-]?\.?0[0.]*(?:[a-z].*)?$/i.test(quantity)

/** `dropsZeroTargets`: beside an average, the older versions have a value of zero where there is none. */
export function fromOldSpec(
  { type, object, pods, resource, containerResource, external }: OldSpec,
  dropsZeroTargets = false,
): MetricSpec {
  const isUnset = dropsZeroTargets && object?.averageValue !== undefined && isZero(orZero(object.targetValue))
  return withoutUnset({
    type: type ?? '',
    object: object && {
      describedObject: object.target,
      target: withoutUnset({
        type: object.averageValue === undefined ? 'Value' : 'AverageValue',
        value: isUnset ? undefined : object.targetValue,
        averageValue: object.averageValue,
      }),
      metric: withoutUnset({ name: object.metricName, selector: object.selector }),
    },
    pods: pods && {
      metric: withoutUnset({ name: pods.metricName, selector: pods.selector }),
      target: { type: 'AverageValue', averageValue: pods.targetAverageValue },
    },
    resource: resource && {
      name: resource.name,
      target: utilizationTarget(resource.targetAverageUtilization, resource.targetAverageValue),
    },
    containerResource: containerResource && {
      name: containerResource.name,
      target: utilizationTarget(containerResource.targetAverageUtilization, containerResource.targetAverageValue),
      container: containerResource.container,
    },
    external: external && {
      metric: withoutUnset({ name: external.metricName, selector: external.metricSelector }),
      target: withoutUnset({
        type: external.targetValue === undefined ? 'AverageValue' : 'Value',
        value: external.targetValue,
        averageValue: external.targetAverageValue,
      }),
    },
  }) as MetricSpec
}

export function toOldStatus({ type, object, pods, resource, containerResource, external }: MetricStatus): OldStatus {
  return withoutUnset({
    type,
    object:
      object &&
      withoutUnset({
        target: orderedReference(object.describedObject),
        metricName: object.metric.name,
        currentValue: orZero(object.current.value),
        selector: object.metric.selector,
        averageValue: object.current.averageValue,
      }),
    pods:
      pods &&
      withoutUnset({
        metricName: pods.metric.name,
        currentAverageValue: orZero(pods.current.averageValue),
        selector: pods.metric.selector,
      }),
    resource:
      resource &&
      withoutUnset({
        name: resource.name,
        currentAverageUtilization: resource.current.averageUtilization,
        currentAverageValue: orZero(resource.current.averageValue),
      }),
    containerResource:
      containerResource &&
      withoutUnset({
        name: containerResource.name,
        currentAverageUtilization: containerResource.current.averageUtilization,
        currentAverageValue: orZero(containerResource.current.averageValue),
        container: containerResource.container,
      }),
    external:
      external &&
      withoutUnset({
        metricName: external.metric.name,
        metricSelector: external.metric.selector,
        currentValue: orZero(external.current.value),
        currentAverageValue: external.current.averageValue,
      }),
  }) as OldStatus
}

export function fromOldStatus({ type, object, pods, resource, containerResource, external }: OldStatus): MetricStatus {
  return withoutUnset({
    type: type ?? '',
    object: object && {
      metric: withoutUnset({ name: object.metricName, selector: object.selector }),
      current: withoutUnset({ value: object.currentValue, averageValue: object.averageValue }),
      describedObject: object.target,
    },
    pods: pods && {
      metric: withoutUnset({ name: pods.metricName, selector: pods.selector }),
      current: { averageValue: pods.currentAverageValue },
    },
    resource: resource && {
      name: resource.name,
      current: withoutUnset({
        averageValue: resource.currentAverageValue,
        averageUtilization: resource.currentAverageUtilization,
      }),
    },
    containerResource: containerResource && {
      name: containerResource.name,
      current: withoutUnset({
        averageValue: containerResource.currentAverageValue,
        averageUtilization: containerResource.currentAverageUtilization,
      }),
      container: containerResource.container,
    },
    external: external && {
      metric: withoutUnset({ name: external.metricName, selector: external.metricSelector }),
      current: withoutUnset({ value: external.currentValue, averageValue: external.currentAverageValue }),
    },
  }) as MetricStatus
}
