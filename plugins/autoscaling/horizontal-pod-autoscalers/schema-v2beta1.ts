import {
  embedded,
  field,
  Int32,
  Kind,
  kept,
  LabelSelector,
  ListOf,
  Quantity,
  required,
  type SentObjectOf,
  type Static,
  Struct,
  Text,
} from 'orch/sdk'
import { conditionStruct, referenceStruct } from './metric-structs.js'
import * as stable from './schema.js'

const named = (name: string) => `autoscaling.v2beta1.${name}`
const reference = referenceStruct('v2beta1')
const metricName = 'Name of the metric.'
const series = 'Labels of the series of the metric. All if absent.'
const resourceName = 'Name of the resource.'
const share = 'The utilization, in percent of the requests of the Pods.'
const perPod = 'The value per Pod.'

export const MetricSpec = Struct(
  named('MetricSpec'),
  {
    type: required(1, Text(), 'Which source is set: Object, Pods, Resource, External or ContainerResource.'),
    object: kept(
      2,
      Struct(
        named('ObjectMetricSource'),
        {
          target: required(1, reference, 'The object that the metric is about.'),
          metricName: required(2, Text(), metricName),
          targetValue: required(3, Quantity(), 'The target value.'),
          selector: kept(4, LabelSelector, series),
          averageValue: kept(5, Quantity(), 'The target value per Pod.'),
        },
        { description: 'A metric of one object.' },
      ),
      'A metric of one object.',
    ),
    pods: kept(
      3,
      Struct(
        named('PodsMetricSource'),
        {
          metricName: required(1, Text(), metricName),
          targetAverageValue: required(2, Quantity(), 'The target value per Pod.'),
          selector: kept(3, LabelSelector, series),
        },
        { description: 'A metric of every Pod, averaged.' },
      ),
      'A metric of every Pod.',
    ),
    resource: kept(
      4,
      Struct(
        named('ResourceMetricSource'),
        {
          name: required(1, Text(), resourceName),
          targetAverageUtilization: kept(2, Int32(), share),
          targetAverageValue: kept(3, Quantity(), perPod),
        },
        { description: 'A resource that Pods use.' },
      ),
      'A resource that Pods use.',
    ),
    containerResource: kept(
      7,
      Struct(
        named('ContainerResourceMetricSource'),
        {
          name: required(1, Text(), resourceName),
          targetAverageUtilization: kept(2, Int32(), share),
          targetAverageValue: kept(3, Quantity(), perPod),
          container: required(4, Text(), 'Name of the container.'),
        },
        { description: 'A resource that one container of the Pods uses.' },
      ),
      'A resource that one container uses. Dropped unless the gate HPAContainerMetrics is on.',
    ),
    external: kept(
      5,
      Struct(
        named('ExternalMetricSource'),
        {
          metricName: required(1, Text(), metricName),
          metricSelector: kept(2, LabelSelector, series),
          targetValue: kept(3, Quantity(), 'The target value.'),
          targetAverageValue: kept(4, Quantity(), 'The target value per Pod.'),
        },
        { description: 'A metric from outside the cluster.' },
      ),
      'A metric from outside the cluster.',
    ),
  },
  { description: 'A metric that determines the number of Pods.' },
)
export type MetricSpec = Static<typeof MetricSpec>

export const MetricStatus = Struct(
  named('MetricStatus'),
  {
    type: required(1, Text(), 'Which source is set.'),
    object: kept(
      2,
      Struct(
        named('ObjectMetricStatus'),
        {
          target: required(1, reference, 'The object that the metric is about.'),
          metricName: required(2, Text(), metricName),
          currentValue: required(3, Quantity(), 'The value.'),
          selector: kept(4, LabelSelector, series),
          averageValue: kept(5, Quantity(), perPod),
        },
        { description: 'A metric of one object.' },
      ),
      'A metric of one object.',
    ),
    pods: kept(
      3,
      Struct(
        named('PodsMetricStatus'),
        {
          metricName: required(1, Text(), metricName),
          currentAverageValue: required(2, Quantity(), perPod),
          selector: kept(3, LabelSelector, series),
        },
        { description: 'A metric of every Pod, averaged.' },
      ),
      'A metric of every Pod.',
    ),
    resource: kept(
      4,
      Struct(
        named('ResourceMetricStatus'),
        {
          name: required(1, Text(), resourceName),
          currentAverageUtilization: kept(2, Int32(), share),
          currentAverageValue: required(3, Quantity(), perPod),
        },
        { description: 'A resource that Pods use.' },
      ),
      'A resource that Pods use.',
    ),
    containerResource: kept(
      7,
      Struct(
        named('ContainerResourceMetricStatus'),
        {
          name: required(1, Text(), resourceName),
          currentAverageUtilization: kept(2, Int32(), share),
          currentAverageValue: required(3, Quantity(), perPod),
          container: required(4, Text(), 'Name of the container.'),
        },
        { description: 'A resource that one container of the Pods uses.' },
      ),
      'A resource that one container uses.',
    ),
    external: kept(
      5,
      Struct(
        named('ExternalMetricStatus'),
        {
          metricName: required(1, Text(), metricName),
          metricSelector: kept(2, LabelSelector, series),
          currentValue: required(3, Quantity(), 'The value.'),
          currentAverageValue: kept(4, Quantity(), perPod),
        },
        { description: 'A metric from outside the cluster.' },
      ),
      'A metric from outside the cluster.',
    ),
  },
  { description: 'The last measurement.' },
)
export type MetricStatus = Static<typeof MetricStatus>

const { minReplicas, maxReplicas } = stable.HorizontalPodAutoscalerSpec.properties
const { observedGeneration, lastScaleTime, desiredReplicas } = stable.HorizontalPodAutoscalerStatus.properties

export const HorizontalPodAutoscaler = Kind(
  named('HorizontalPodAutoscaler'),
  {
    spec: embedded(
      2,
      Struct(
        named('HorizontalPodAutoscalerSpec'),
        {
          scaleTargetRef: required(1, reference, 'The scale target.'),
          minReplicas,
          maxReplicas,
          metrics: field(
            4,
            ListOf(MetricSpec),
            'Metrics that determine the number of Pods; the largest result is used.',
          ),
        },
        { description: 'The scale target, its bounds and metrics.' },
      ),
      'Desired state.',
    ),
    status: embedded(
      3,
      Struct(
        named('HorizontalPodAutoscalerStatus'),
        {
          observedGeneration,
          lastScaleTime,
          currentReplicas: required(3, Int32(), 'Current number of Pods.'),
          desiredReplicas,
          currentMetrics: field(5, ListOf(MetricStatus), {
            description: 'The last measurement.',
            presence: 'always',
          }),
          conditions: field(6, ListOf(conditionStruct('v2beta1')), {
            description: 'Observed conditions.',
            presence: 'always',
          }),
        },
        { description: 'The last measurement and scaling.' },
      ),
      'Observed state. Written by the system.',
    ),
  },
  { description: 'Scales the number of Pods by metrics.' },
)
export type HorizontalPodAutoscaler = SentObjectOf<typeof HorizontalPodAutoscaler>
