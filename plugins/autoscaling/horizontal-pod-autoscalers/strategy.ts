import type { Strategy } from 'orch/sdk'
import type { AutoscalingNames } from '../names.js'
import { dropRoundTrip } from './conversion.js'
import { cpuLast } from './defaults.js'
import type { HorizontalPodAutoscaler } from './schema.js'
import { validateAutoscaler, validateAutoscalerStatus } from './validation.js'

function prepare({ spec }: HorizontalPodAutoscaler, stored?: HorizontalPodAutoscaler): void {
  if (!spec?.metrics) return
  const isServed = (stored?.spec?.metrics ?? []).some(({ containerResource }) => containerResource)
  // Metrics of single containers are not served: they go before anything judges them.
  if (!isServed) for (const metric of spec.metrics) delete metric.containerResource
  spec.metrics = cpuLast(spec.metrics)
}

export const mainStrategy = (names: AutoscalingNames) =>
  ({
    prepareForCreate(draft) {
      dropRoundTrip(draft, names)
      draft.status = { desiredReplicas: 0 }
      prepare(draft)
    },
    prepareForUpdate(draft, stored) {
      dropRoundTrip(draft, names)
      draft.status = stored.status
      prepare(draft, stored)
    },
    validate: validateAutoscaler,
    validateUpdate: validateAutoscaler,
    resetFields: ['status'],
  }) satisfies Strategy<HorizontalPodAutoscaler>

export const statusStrategy = {
  prepareForUpdate(draft, stored) {
    draft.spec = stored.spec
  },
  validateUpdate: validateAutoscalerStatus,
  resetFields: ['spec'],
} satisfies Strategy<HorizontalPodAutoscaler>
