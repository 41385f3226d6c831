import { defineDifference } from 'orch/sdk'

export const metricsKeepOrder = defineDifference({
  name: 'metrics-keep-their-order',
  since: '1.26',
  description:
    'Metrics of an autoscaler keep their order; before, the CPU metric came last, and there was only one of them.',
  knownFrom: 'recorded',
})

export const behaviorTolerance = defineDifference({
  name: 'behavior-annotation-has-tolerance',
  since: '1.33',
  description: 'The annotation that contains the behavior in autoscaling/v1 includes the tolerance.',
  knownFrom: 'recorded',
})

export const droppedTolerances = defineDifference({
  name: 'tolerance-annotations-are-dropped',
  since: '1.33',
  description: 'Annotations for the tolerance of an autoscaler, which nothing reads, are dropped.',
  knownFrom: 'source',
})

export const externalMetrics = defineDifference({
  name: 'autoscalers-may-read-external-metrics',
  since: '1.24',
  additive: true,
  description: 'The autoscaler may read external metrics without an additional role.',
  knownFrom: 'source',
})

export const heapster = defineDifference({
  name: 'autoscalers-may-read-heapster',
  until: '1.26',
  description: 'The autoscaler may read metrics from the services of Heapster.',
  knownFrom: 'source',
})

export const targetsNameResources = defineDifference({
  name: 'targets-of-autoscalers-name-resources',
  since: '1.30',
  description: 'The Table of autoscalers shows the resource of each target: `cpu: 40%/80%`.',
  knownFrom: 'source',
})

export const targetsNeedGroups = defineDifference({
  name: 'autoscalers-refer-to-groups',
  since: '1.34',
  description:
    'The scale target of an autoscaler must have an API group, unless it is a ReplicationController, and a valid apiVersion; so must the object of a metric, which needs no group.',
  knownFrom: 'source',
})

export const maxReplicasIsRequired = defineDifference({
  name: 'max-replicas-of-autoscalers-are-required',
  since: '1.36',
  description: 'A missing maxReplicas of an autoscaler is Required rather than Invalid.',
  knownFrom: 'probed',
})

export const zeroTargetsAreDropped = defineDifference({
  name: 'zero-targets-beside-averages-are-dropped',
  since: '1.36',
  additive: true,
  description:
    'An autoscaler with an Object metric for an average can be written back in autoscaling/v1, where the metric has a value of zero besides; before, it is refused.',
  knownFrom: 'probed',
})

export const autoscalingDifferences = [
  zeroTargetsAreDropped,
  targetsNameResources,
  targetsNeedGroups,
  maxReplicasIsRequired,
  metricsKeepOrder,
  behaviorTolerance,
  droppedTolerances,
  externalMetrics,
  heapster,
]
