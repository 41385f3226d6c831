import { defineResource, type ServedLevel, strategyForSpec, strategyForStatus, type Vendor } from 'orch/sdk'
import { behaviorTolerance, metricsKeepOrder, zeroTargetsAreDropped } from '../differences.js'
import type { AutoscalingNames } from '../names.js'
import { columnsAt } from './columns.js'
import { fillV1, v1Conversion, v2beta1Conversion, v2beta2Conversion, withReadAnnotations } from './conversion.js'
import { cpuLast, fillAutoscaler, fillV2beta1 } from './defaults.js'
import { HorizontalPodAutoscaler } from './schema.js'
import { HorizontalPodAutoscaler as V1 } from './schema-v1.js'
import { HorizontalPodAutoscaler as V2beta1 } from './schema-v2beta1.js'
import { HorizontalPodAutoscaler as V2beta2 } from './schema-v2beta2.js'
import { validateAutoscaler, validateAutoscalerStatus } from './validation.js'

function prepare(
  { spec }: HorizontalPodAutoscaler,
  { level }: Vendor,
  keepsContainers: boolean,
  stored?: HorizontalPodAutoscaler,
): void {
  if (!spec?.metrics) return
  const hasContainers = (stored?.spec?.metrics ?? []).some(({ containerResource }) => containerResource)
  // Container metrics are dropped before validation, unless the gate is on or the stored object has some.
  if (!keepsContainers && !hasContainers) for (const metric of spec.metrics) delete metric.containerResource
  if (!level.has(metricsKeepOrder)) spec.metrics = cpuLast(spec.metrics)
}

/** `keepsContainers`: metrics of individual containers are allowed. */
export const mainStrategy = (keepsContainers: boolean) =>
  strategyForSpec<HorizontalPodAutoscaler>({
    newStatus: () => ({ desiredReplicas: 0 }),
    prepareForCreate: (draft, { vendor }) => prepare(draft, vendor, keepsContainers),
    prepareForUpdate: (draft, stored, { vendor }) => prepare(draft, vendor, keepsContainers, stored),
    validate: (object, { vendor }) => validateAutoscaler(object, undefined, vendor, keepsContainers),
    validateUpdate: (object, stored, { vendor }) => validateAutoscaler(object, stored, vendor, keepsContainers),
    metadataChecks: { change: 1, object: 0 },
  })

const statusStrategy = strategyForStatus<HorizontalPodAutoscaler>({
  validateUpdate: validateAutoscalerStatus,
})

const deprecated = (since: string, removedRelease: string) => ({
  since,
  removedRelease,
  replacement: 'autoscaling/v2',
})

export const horizontalPodAutoscalers = (names: AutoscalingNames, keepsContainers: boolean, level: ServedLevel) => {
  const v1 = v1Conversion(names, {
    includesTolerance: level.has(behaviorTolerance),
    dropsZeroTargets: level.has(zeroTargetsAreDropped),
  })
  const v2beta1 = v2beta1Conversion(names)
  return defineResource({
    group: 'autoscaling',
    kind: 'HorizontalPodAutoscaler',
    resource: 'horizontalpodautoscalers',
    shortNames: ['hpa'],
    categories: ['all'],
    namespaced: true,
    versions: [
      {
        name: 'v2',
        schema: HorizontalPodAutoscaler,
        defaults: withReadAnnotations(names, fillAutoscaler),
        storage: true,
      },
      { name: 'v1', schema: V1, defaults: withReadAnnotations(names, fillV1(names), v1), ...v1 },
      {
        name: 'v2beta1',
        until: '1.24',
        schema: V2beta1,
        defaults: withReadAnnotations(names, fillV2beta1, v2beta1),
        ...v2beta1,
        deprecated: deprecated('1.22', '1.25'),
      },
      {
        name: 'v2beta2',
        until: '1.25',
        schema: V2beta2,
        defaults: withReadAnnotations(names, fillAutoscaler),
        ...v2beta2Conversion(names),
        deprecated: deprecated('1.23', '1.26'),
      },
    ],
    generation: false,
    strategy: mainStrategy(keepsContainers),
    subresources: { status: { kind: 'update', strategy: statusStrategy } },
    columns: columnsAt(level),
  })
}
