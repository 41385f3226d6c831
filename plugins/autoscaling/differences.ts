import { defineDifference } from 'orch/sdk'

export const metricsKeepOrder = defineDifference({
  name: 'metrics-keep-their-order',
  since: '1.26',
  description:
    'Metrics of an autoscaler stay as they were written; before, the one about the cpu came last, and only one of them.',
  knownFrom: 'recorded',
})

export const behaviorTolerance = defineDifference({
  name: 'behavior-annotation-has-tolerance',
  since: '1.33',
  description: 'The annotation in which the oldest version keeps the behavior also has the tolerance.',
  knownFrom: 'recorded',
})

export const externalMetrics = defineDifference({
  name: 'autoscalers-may-read-external-metrics',
  since: '1.24',
  additive: true,
  description: 'The autoscaler may read external metrics without a role that somebody gives it.',
  knownFrom: 'source',
})

export const heapster = defineDifference({
  name: 'autoscalers-may-ask-heapster',
  until: '1.26',
  description: 'The autoscaler may read metrics from the services of Heapster.',
  knownFrom: 'source',
})

export const targetsNameResources = defineDifference({
  name: 'targets-of-autoscalers-name-resources',
  since: '1.30',
  description: 'A Table of autoscalers says which resource a target is about: `cpu: 40%/80%`.',
  knownFrom: 'source',
})

export const referencesNameGroups = defineDifference({
  name: 'autoscalers-refer-to-groups',
  since: '1.34',
  description:
    'What an autoscaler scales must be of an API group, unless it is a ReplicationController; what it names otherwise must be a version.',
  knownFrom: 'source',
})

export const mostReplicasAreRequired = defineDifference({
  name: 'most-replicas-of-autoscalers-are-required',
  since: '1.36',
  description: 'An autoscaler without the most replicas lacks a required value; before, its value was invalid.',
  knownFrom: 'asked',
})

export const autoscalingDifferences = [
  targetsNameResources,
  referencesNameGroups,
  mostReplicasAreRequired,
  metricsKeepOrder,
  behaviorTolerance,
  externalMetrics,
  heapster,
]
