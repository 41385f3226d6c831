import type { Vendor } from 'orch/sdk'
import { droppedTolerances } from './differences.js'

/** Annotations for values that older versions have no fields for. */
export function autoscalingNames(vendor: Vendor) {
  const named = (name: string) => vendor.qualify(name, 'autoscaling.alpha')
  const names = {
    metrics: named('metrics'),
    currentMetrics: named('current-metrics'),
    conditions: named('conditions'),
    behavior: named('behavior'),
  }
  const others = vendor.level.has(droppedTolerances) ? ['scale-up-tolerance', 'scale-down-tolerance'].map(named) : []
  /** All that are removed from what clients send. */
  const all: readonly string[] = [...Object.values(names), ...others]
  return { ...names, all }
}
export type AutoscalingNames = ReturnType<typeof autoscalingNames>
