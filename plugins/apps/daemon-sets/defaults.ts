import { defaultPodSpec } from 'orch/sdk/core'
import type { DaemonSet } from './schema.js'

export function fillDaemonSet({ spec }: DaemonSet): void {
  if (spec?.template?.spec) defaultPodSpec(spec.template.spec)
  const { updateStrategy } = spec ?? {}
  if (updateStrategy?.type !== 'RollingUpdate') return
  updateStrategy.rollingUpdate ??= {}
  updateStrategy.rollingUpdate.maxUnavailable ??= 1
  updateStrategy.rollingUpdate.maxSurge ??= 0
}
