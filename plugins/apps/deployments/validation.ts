import {
  addAll,
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  requiredValue,
  type Vendor,
} from 'orch/sdk'
import { checkNotNegative } from 'orch/sdk/core'
import { validateSelectorAndTemplate } from '../selector-rules.js'
import { checkAtMostAll, shareNumber, validateShare } from '../shares.js'
import { checkCollisions, checkCounts, checkParts } from '../status-rules.js'
import { validateRollback } from './rollback.js'
import type { Deployment, DeploymentSpec, DeploymentStrategy } from './schema.js'

export function validateDeployment(deployment: Deployment, vendor: Vendor, stored?: Deployment): FieldError[] {
  const { spec = emptySpec } = deployment
  const { replicas = 0, minReadySeconds = 0, progressDeadlineSeconds } = spec
  const errors = checkNotNegative(replicas, 'spec.replicas')
  addAll(errors, validateSelectorAndTemplate(spec, vendor, stored?.spec, stored?.spec?.template?.spec?.volumes))
  addAll(errors, validateStrategy(spec.strategy ?? {}, 'spec.strategy'))
  addAll(errors, checkNotNegative(minReadySeconds, 'spec.minReadySeconds'))
  addAll(errors, checkNotNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit'))
  addAll(errors, validateRollback(deployment))
  if (progressDeadlineSeconds === undefined) return errors
  addAll(errors, checkNotNegative(progressDeadlineSeconds, 'spec.progressDeadlineSeconds'))
  if (progressDeadlineSeconds <= minReadySeconds)
    errors.push(
      invalidValue('spec.progressDeadlineSeconds', progressDeadlineSeconds, 'must be greater than minReadySeconds'),
    )
  return errors
}
const emptySpec = { template: {} } as DeploymentSpec

function validateStrategy(strategy: DeploymentStrategy, field: string): FieldError[] {
  const { type, rollingUpdate } = strategy
  if (type === 'Recreate')
    return rollingUpdate
      ? [forbiddenField(`${field}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'")]
      : []
  if (type !== 'RollingUpdate') return [notSupported(field, strategy, ['Recreate', 'RollingUpdate'])]
  if (!rollingUpdate) return [requiredValue(`${field}.rollingUpdate`)]
  const { maxUnavailable, maxSurge } = rollingUpdate
  const at = `${field}.rollingUpdate`
  return [
    ...validateShare(maxUnavailable, `${at}.maxUnavailable`),
    ...validateShare(maxSurge, `${at}.maxSurge`),
    ...(shareNumber(maxUnavailable) === 0 && shareNumber(maxSurge) === 0
      ? [invalidValue(`${at}.maxUnavailable`, maxUnavailable, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...checkAtMostAll(maxUnavailable, `${at}.maxUnavailable`),
  ]
}

const counts = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'terminatingReplicas',
  'collisionCount',
] as const
const parts = [
  ['updatedReplicas', 'replicas'],
  ['readyReplicas', 'replicas'],
  ['availableReplicas', 'replicas'],
  ['availableReplicas', 'readyReplicas'],
] as const

export const validateDeploymentStatus = ({ status }: Deployment, stored: Deployment): FieldError[] => [
  ...checkCounts(status, counts),
  ...checkParts(status, parts),
  ...checkCollisions(status?.collisionCount, stored.status?.collisionCount),
]
