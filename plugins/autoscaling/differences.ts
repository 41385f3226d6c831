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

export const autoscalingDifferences = [metricsKeepOrder, behaviorTolerance, externalMetrics, heapster]
