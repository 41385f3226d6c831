import type { IsGateEnabled, ServedLevel } from 'orch/sdk'
import { defaultPodSpec } from 'orch/sdk/core'
import { manualSelectorDefault, replacementDefault } from '../differences.js'
import type { Job, JobSpec } from './schema.js'

export function fillJobSpec(spec: JobSpec | undefined, level: ServedLevel, isEnabled?: IsGateEnabled): void {
  if (spec?.template?.spec) defaultPodSpec(spec.template.spec, level, isEnabled)
}

/** A job template is not defaulted here: the jobs created from it are. */
export function fillJob(job: Job, level: ServedLevel, isEnabled?: IsGateEnabled): void {
  const { spec } = job
  if (!spec) return
  fillJobSpec(spec, level, isEnabled)
  // One Pod that must succeed, by default.
  if (spec.parallelism === undefined && spec.completions === undefined) spec.completions = 1
  spec.parallelism ??= 1
  // With a limit per index there is no overall limit.
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : 0x7fffffff
  spec.completionMode ??= 'NonIndexed'
  // Not a default of the schema before 1.34: the template of a cron job has none until then.
  for (const { onPodConditions } of spec.podFailurePolicy?.rules ?? [])
    for (const condition of onPodConditions ?? []) condition.status ||= 'True'
  spec.suspend ??= false
  if (level.has(replacementDefault))
    spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed'
  if (level.has(manualSelectorDefault)) spec.manualSelector ??= false
  const labels = spec.template?.metadata?.labels
  // The same record, not a copy: labels that are generated for the template are then labels of the job, too.
  if (labels && Object.keys(job.metadata?.labels ?? {}).length === 0) job.metadata = { ...job.metadata, labels }
}
