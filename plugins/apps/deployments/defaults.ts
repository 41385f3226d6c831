import { defaultPodSpec } from 'orch/sdk/core'
import type { Deployment } from './schema.js'

/** A quarter of the Pods, by default. */
const quarter = '25%'

export function fillDeployment({ spec }: Deployment): void {
  if (spec?.template?.spec) defaultPodSpec(spec.template.spec)
  const { strategy } = spec ?? {}
  if (strategy?.type !== 'RollingUpdate') return
  strategy.rollingUpdate ??= {}
  strategy.rollingUpdate.maxUnavailable ??= quarter
  strategy.rollingUpdate.maxSurge ??= quarter
}
