import { definePlugin } from 'orch/sdk'
import { horizontalPodAutoscalers } from './horizontal-pod-autoscalers/resource.js'
import { autoscalerLoop } from './horizontal-pod-autoscalers/scaling/controller.js'
import { autoscalingNames } from './names.js'

export { conformance } from './conformance.js'

export const autoscaling = definePlugin({
  name: 'autoscaling',
  requires: ['namespaces'],
  register(to, { vendor }) {
    to.resource(horizontalPodAutoscalers(autoscalingNames(vendor)))
    to.controller(autoscalerLoop(vendor))
  },
})
