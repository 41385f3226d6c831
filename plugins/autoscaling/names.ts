import type { Vendor } from 'orch/sdk'

/** Annotations for values that older versions have no fields for. */
export const autoscalingNames = (vendor: Vendor) => ({
  metrics: vendor.qualify('metrics', 'autoscaling.alpha'),
  currentMetrics: vendor.qualify('current-metrics', 'autoscaling.alpha'),
  conditions: vendor.qualify('conditions', 'autoscaling.alpha'),
  behavior: vendor.qualify('behavior', 'autoscaling.alpha'),
})
export type AutoscalingNames = ReturnType<typeof autoscalingNames>
