import type { MetricSpec, MetricStatus } from './metric-structs.js'
import type { MetricSpec as OldSpec, MetricStatus as OldStatus } from './schema-v2beta1.js'

/** Leaves out what is not set. */
const given = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as T

/** The value used where an older version cannot express that it is missing. */
const orZero = (quantity: string | undefined) => quantity ?? '0'

/** A metric as the older versions write it. Fields come in the order of theirs, since it also stands in annotations. */
export function toOldSpec({ type, object, pods, resource, containerResource, external }: MetricSpec): OldSpec {
  return given({
    type,
    object:
      object &&
      given({
        target: orderedReference(object.describedObject),
        metricName: object.metric.name,
        targetValue: orZero(object.target.value),
        selector: object.metric.selector,
        averageValue: object.target.averageValue,
      }),
    pods:
      pods &&
      given({
        metricName: pods.metric.name,
        targetAverageValue: orZero(pods.target.averageValue),
        selector: pods.metric.selector,
      }),
    resource:
      resource &&
      given({
        name: resource.name,
        targetAverageUtilization: resource.target.averageUtilization,
        targetAverageValue: resource.target.averageValue,
      }),
    containerResource:
      containerResource &&
      given({
        name: containerResource.name,
        targetAverageUtilization: containerResource.target.averageUtilization,
        targetAverageValue: containerResource.target.averageValue,
        container: containerResource.container,
      }),
    external:
      external &&
      given({
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

const share = (averageUtilization: number | undefined, averageValue: string | undefined) =>
  given({
    type: averageUtilization === undefined ? 'AverageValue' : 'Utilization',
    averageValue,
    averageUtilization,
  })

export function fromOldSpec({ type, object, pods, resource, containerResource, external }: OldSpec): MetricSpec {
  return given({
    type: type ?? '',
    object: object && {
      describedObject: object.target,
      target: given({
        type: object.averageValue === undefined ? 'Value' : 'AverageValue',
        value: object.targetValue,
        averageValue: object.averageValue,
      }),
      metric: given({ name: object.metricName, selector: object.selector }),
    },
    pods: pods && {
      metric: given({ name: pods.metricName, selector: pods.selector }),
      target: { type: 'AverageValue', averageValue: pods.targetAverageValue },
    },
    resource: resource && {
      name: resource.name,
      target: share(resource.targetAverageUtilization, resource.targetAverageValue),
    },
    containerResource: containerResource && {
      name: containerResource.name,
      target: share(containerResource.targetAverageUtilization, containerResource.targetAverageValue),
      container: containerResource.container,
    },
    external: external && {
      metric: given({ name: external.metricName, selector: external.metricSelector }),
      target: given({
        type: external.targetValue === undefined ? 'AverageValue' : 'Value',
        value: external.targetValue,
        averageValue: external.targetAverageValue,
      }),
    },
  }) as MetricSpec
}

export function toOldStatus({ type, object, pods, resource, containerResource, external }: MetricStatus): OldStatus {
  return given({
    type,
    object:
      object &&
      given({
        target: orderedReference(object.describedObject),
        metricName: object.metric.name,
        currentValue: orZero(object.current.value),
        selector: object.metric.selector,
        averageValue: object.current.averageValue,
      }),
    pods:
      pods &&
      given({
        metricName: pods.metric.name,
        currentAverageValue: orZero(pods.current.averageValue),
        selector: pods.metric.selector,
      }),
    resource:
      resource &&
      given({
        name: resource.name,
        currentAverageUtilization: resource.current.averageUtilization,
        currentAverageValue: orZero(resource.current.averageValue),
      }),
    containerResource:
      containerResource &&
      given({
        name: containerResource.name,
        currentAverageUtilization: containerResource.current.averageUtilization,
        currentAverageValue: orZero(containerResource.current.averageValue),
        container: containerResource.container,
      }),
    external:
      external &&
      given({
        metricName: external.metric.name,
        metricSelector: external.metric.selector,
        currentValue: orZero(external.current.value),
        currentAverageValue: external.current.averageValue,
      }),
  }) as OldStatus
}

export function fromOldStatus({ type, object, pods, resource, containerResource, external }: OldStatus): MetricStatus {
  return given({
    type: type ?? '',
    object: object && {
      metric: given({ name: object.metricName, selector: object.selector }),
      current: given({ value: object.currentValue, averageValue: object.averageValue }),
      describedObject: object.target,
    },
    pods: pods && {
      metric: given({ name: pods.metricName, selector: pods.selector }),
      current: { averageValue: pods.currentAverageValue },
    },
    resource: resource && {
      name: resource.name,
      current: given({
        averageValue: resource.currentAverageValue,
        averageUtilization: resource.currentAverageUtilization,
      }),
    },
    containerResource: containerResource && {
      name: containerResource.name,
      current: given({
        averageValue: containerResource.currentAverageValue,
        averageUtilization: containerResource.currentAverageUtilization,
      }),
      container: containerResource.container,
    },
    external: external && {
      metric: given({ name: external.metricName, selector: external.metricSelector }),
      current: given({ value: external.currentValue, averageValue: external.currentAverageValue }),
    },
  }) as MetricStatus
}
