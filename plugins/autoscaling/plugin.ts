import { definePlugin, type FeatureGate } from 'orch/sdk'
import { autoscalingDifferences } from './differences.js'
import { horizontalPodAutoscalers } from './horizontal-pod-autoscalers/resource.js'
import { autoscalerLoop } from './horizontal-pod-autoscalers/scaling/controller.js'
import { autoscalingNames } from './names.js'

export { conformance } from './conformance.js'

const gates = {
  HPAContainerMetrics: {
    stage: 'alpha',
    description: 'Autoscalers support the resource usage of individual containers (metrics of type ContainerResource).',
  },
  HPAConfigurableTolerance: { stage: 'beta', description: 'Autoscalers can set their own tolerance.' },
} as const satisfies Readonly<Record<string, FeatureGate>>

export const autoscaling = definePlugin({
  name: 'autoscaling',
  requires: ['namespaces'],
  gates,
  differences: autoscalingDifferences,
  register(to, { vendor, isEnabled }) {
    to.resource(horizontalPodAutoscalers(autoscalingNames(vendor), isEnabled('HPAContainerMetrics'), vendor.level))
    to.controller(autoscalerLoop(vendor))
  },
})
