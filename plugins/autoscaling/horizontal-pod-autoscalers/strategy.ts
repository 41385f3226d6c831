import { strategyForSpec, strategyForStatus } from 'orch/sdk'
import type { AutoscalingNames } from '../names.js'
import { dropRoundTrip } from './conversion.js'
import { cpuLast } from './defaults.js'
import type { HorizontalPodAutoscaler } from './schema.js'
import { validateAutoscaler, validateAutoscalerStatus } from './validation.js'

function prepare({ spec }: HorizontalPodAutoscaler, stored?: HorizontalPodAutoscaler): void {
  if (!spec?.metrics) return
  const isServed = (stored?.spec?.metrics ?? []).some(({ containerResource }) => containerResource)
  // Container metrics are not supported (alpha in 1.23): they are dropped before validation.
  if (!isServed) for (const metric of spec.metrics) delete metric.containerResource
  spec.metrics = cpuLast(spec.metrics)
}

export const mainStrategy = (names: AutoscalingNames) =>
  strategyForSpec<HorizontalPodAutoscaler>({
    newStatus: () => ({ desiredReplicas: 0 }),
    prepareForCreate(draft) {
      dropRoundTrip(draft, names)
      prepare(draft)
    },
    prepareForUpdate(draft, stored) {
      dropRoundTrip(draft, names)
      prepare(draft, stored)
    },
    validate: validateAutoscaler,
    validateUpdate: validateAutoscaler,
    metadataChecks: { change: 1, object: 0 },
  })

export const statusStrategy = strategyForStatus<HorizontalPodAutoscaler>({
  validateUpdate: validateAutoscalerStatus,
})
