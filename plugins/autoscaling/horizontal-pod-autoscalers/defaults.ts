import { defaultMetrics, isCpuUtilization } from './conversion.js'
import type { MetricSpec, ScalingRules } from './metric-structs.js'
import type { HorizontalPodAutoscaler } from './schema.js'
import type { HorizontalPodAutoscaler as V2beta1 } from './schema-v2beta1.js'

const upRules: ScalingRules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
}
const downRules: ScalingRules = {
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
}

/** For v2 and v2beta2. */
export function fillAutoscaler({ spec }: HorizontalPodAutoscaler): void {
  if (!spec) return
  if ((spec.metrics ?? []).length === 0) spec.metrics = defaultMetrics()
  if (!spec.behavior) return
  spec.behavior = {
    scaleUp: { ...structuredClone(upRules), ...spec.behavior.scaleUp },
    scaleDown: { ...structuredClone(downRules), ...spec.behavior.scaleDown },
  }
}

export function fillV2beta1({ spec }: V2beta1): void {
  if (spec && (spec.metrics ?? []).length === 0)
    spec.metrics = [{ type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 80 } }]
}

/**
 * Moves the cpu metric to the end: v1, which has a field for it and an annotation for the others, converts to this
 * order. Only the first cpu metric is kept, since there is only one field.
 */
export function cpuLast(metrics: readonly MetricSpec[]): MetricSpec[] {
  const cpu = metrics.find(isCpuUtilization)
  return cpu ? [...metrics.filter(metric => !isCpuUtilization(metric)), cpu] : [...metrics]
}
