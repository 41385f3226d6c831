import {
  embedded,
  field,
  Int32,
  kept,
  LabelSelector,
  ListOf,
  Quantity,
  required,
  type Static,
  Struct,
  Text,
  Time,
} from 'orch/sdk'

/** A reference to an object. */
export const referenceStruct = (version: string) =>
  Struct(
    `autoscaling.${version}.CrossVersionObjectReference`,
    {
      kind: required(1, Text(), 'Kind of the object.'),
      name: required(2, Text(), 'Name of the object.'),
      apiVersion: field(3, Text(), 'API version of the object.'),
    },
    // For server-side apply, the reference is atomic in the oldest version only.
    { description: 'Refers to an object of the same namespace.', ...(version === 'v1' ? { mapType: 'atomic' } : {}) },
  )

/** A condition of an autoscaler. */
export const conditionStruct = (version: string) =>
  Struct(
    `autoscaling.${version}.HorizontalPodAutoscalerCondition`,
    {
      type: required(1, Text(), 'What was observed: AbleToScale, ScalingActive or ScalingLimited.'),
      status: required(2, Text(), 'True, False or Unknown.'),
      lastTransitionTime: embedded(3, Time(), 'When the status last changed.'),
      reason: field(4, Text(), 'Machine-readable reason in one word.'),
      message: field(5, Text(), 'Human-readable message.'),
    },
    { description: 'Something observed about an autoscaler.' },
  )

/** The structs for metrics and behavior, which v2 and v2beta2 have under their own names. */
export function metricStructs(version: 'v2' | 'v2beta2') {
  const named = (name: string) => `autoscaling.${version}.${name}`
  const reference = referenceStruct(version)
  const identifier = Struct(
    named('MetricIdentifier'),
    {
      name: required(1, Text(), 'Name of the metric.'),
      selector: kept(2, LabelSelector, 'Labels of the series of the metric. All if absent.'),
    },
    { description: 'Identifies a metric.' },
  )
  const target = Struct(
    named('MetricTarget'),
    {
      type: required(1, Text(), 'How it is measured: Utilization, Value or AverageValue.'),
      value: kept(2, Quantity(), 'The target value.'),
      averageValue: kept(3, Quantity(), 'The target value per Pod.'),
      averageUtilization: kept(4, Int32(), 'The target utilization, in percent of the requests of the Pods.'),
    },
    { description: 'The target of a metric.' },
  )
  const value = Struct(
    named('MetricValueStatus'),
    {
      value: kept(1, Quantity(), 'The value.'),
      averageValue: kept(2, Quantity(), 'The value per Pod.'),
      averageUtilization: kept(3, Int32(), 'The utilization, in percent of the requests of the Pods.'),
    },
    { description: 'The current value of a metric.' },
  )
  const about = { target: 'The target value.', current: 'The current value.', metric: 'The metric.' }
  const source = {
    object: Struct(
      named('ObjectMetricSource'),
      {
        describedObject: required(1, reference, 'The object that the metric is about.'),
        target: required(2, target, about.target),
        metric: required(3, identifier, about.metric),
      },
      { description: 'A metric of one object, such as requests of a Service.' },
    ),
    pods: Struct(
      named('PodsMetricSource'),
      { metric: required(1, identifier, about.metric), target: required(2, target, about.target) },
      { description: 'A metric of every Pod, averaged.' },
    ),
    resource: Struct(
      named('ResourceMetricSource'),
      { name: required(1, Text(), 'Name of the resource.'), target: required(2, target, about.target) },
      { description: 'A resource that Pods use, such as cpu or memory.' },
    ),
    external: Struct(
      named('ExternalMetricSource'),
      { metric: required(1, identifier, about.metric), target: required(2, target, about.target) },
      { description: 'A metric from outside the cluster, such as the length of a queue.' },
    ),
    containerResource: Struct(
      named('ContainerResourceMetricSource'),
      {
        name: required(1, Text(), 'Name of the resource.'),
        target: required(2, target, about.target),
        container: required(3, Text(), 'Name of the container.'),
      },
      { description: 'A resource that one container of the Pods uses.' },
    ),
  }
  const status = {
    object: Struct(
      named('ObjectMetricStatus'),
      {
        metric: required(1, identifier, about.metric),
        current: required(2, value, about.current),
        describedObject: required(3, reference, 'The object that the metric is about.'),
      },
      { description: 'A metric of one object.' },
    ),
    pods: Struct(
      named('PodsMetricStatus'),
      { metric: required(1, identifier, about.metric), current: required(2, value, about.current) },
      { description: 'A metric of every Pod, averaged.' },
    ),
    resource: Struct(
      named('ResourceMetricStatus'),
      { name: required(1, Text(), 'Name of the resource.'), current: required(2, value, about.current) },
      { description: 'A resource that Pods use.' },
    ),
    external: Struct(
      named('ExternalMetricStatus'),
      { metric: required(1, identifier, about.metric), current: required(2, value, about.current) },
      { description: 'A metric from outside the cluster.' },
    ),
    containerResource: Struct(
      named('ContainerResourceMetricStatus'),
      {
        name: required(1, Text(), 'Name of the resource.'),
        current: required(2, value, about.current),
        container: required(3, Text(), 'Name of the container.'),
      },
      { description: 'A resource that one container of the Pods uses.' },
    ),
  }
  return {
    reference,
    spec: Struct(
      named('MetricSpec'),
      {
        type: required(1, Text(), 'Which source is set: Object, Pods, Resource, External or ContainerResource.'),
        object: kept(2, source.object, 'A metric of one object.'),
        pods: kept(3, source.pods, 'A metric of every Pod.'),
        resource: kept(4, source.resource, 'A resource that Pods use.'),
        containerResource: kept(
          7,
          source.containerResource,
          'A resource that one container uses. Dropped unless the gate HPAContainerMetrics is on.',
        ),
        external: kept(5, source.external, 'A metric from outside the cluster.'),
      },
      { description: 'A metric that determines the number of Pods.' },
    ),
    status: Struct(
      named('MetricStatus'),
      {
        type: required(1, Text(), 'Which source is set.'),
        object: kept(2, status.object, 'A metric of one object.'),
        pods: kept(3, status.pods, 'A metric of every Pod.'),
        resource: kept(4, status.resource, 'A resource that Pods use.'),
        containerResource: kept(7, status.containerResource, 'A resource that one container uses.'),
        external: kept(5, status.external, 'A metric from outside the cluster.'),
      },
      { description: 'The last measurement of a metric.' },
    ),
    behavior: behaviorStruct(named, version),
    condition: conditionStruct(version),
  }
}

const tolerance = kept(4, Quantity(), {
  description: 'Relative difference from the target that does not cause scaling, such as 0.05. 0.1 by default.',
  since: '1.33',
  gate: 'HPAConfigurableTolerance',
})

function behaviorStruct(named: (name: string) => string, version: 'v2' | 'v2beta2') {
  const policy = Struct(
    named('HPAScalingPolicy'),
    {
      type: required(1, Text(), 'Unit of the value: Pods or Percent.'),
      value: required(2, Int32(), 'How many Pods may be added or removed in the period.'),
      periodSeconds: required(3, Int32(), 'Length of the period, at most 1800.'),
    },
    { description: 'How fast the number of Pods may change.' },
  )
  const rules = Struct(
    named('HPAScalingRules'),
    {
      stabilizationWindowSeconds: kept(3, Int32(), 'How long earlier recommendations are considered, at most 3600.'),
      selectPolicy: kept(1, Text(), 'Which policy is used: Max (the default), Min or Disabled.'),
      // An empty list is reported as an error; only a missing one has defaults.
      policies: kept(
        2,
        ListOf(policy, version === 'v2' ? { listType: 'atomic' } : {}),
        'How fast the number of Pods may change.',
      ),
      tolerance,
    },
    { description: 'How fast the number of Pods may change in one direction.' },
  )
  return Struct(
    named('HorizontalPodAutoscalerBehavior'),
    {
      scaleUp: kept(1, rules, 'How fast it may grow.'),
      scaleDown: kept(2, rules, 'How fast it may shrink.'),
    },
    { description: 'How fast the number of Pods may change.' },
  )
}

const stable = metricStructs('v2')
export type MetricSpec = Static<typeof stable.spec>
export type MetricStatus = Static<typeof stable.status>
export type Behavior = Static<typeof stable.behavior>
export type ScalingRules = NonNullable<Behavior['scaleUp']>
export type AutoscalerCondition = Static<typeof stable.condition>
/** The structs of the version that is stored. */
export const stableStructs = stable
