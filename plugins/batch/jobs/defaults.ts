import { defaultPodSpec } from 'orch/sdk/core'
import type { Job, JobSpec } from './schema.js'

export function fillJobSpec(spec: JobSpec | undefined): void {
  if (spec?.template?.spec) defaultPodSpec(spec.template.spec)
}

/** Fields that a job template leaves open are defaulted when a job is made from it. */
export function fillJob(job: Job): void {
  const { spec } = job
  if (!spec) return
  fillJobSpec(spec)
  // One Pod that must succeed, unless somebody says otherwise.
  if (spec.parallelism === undefined && spec.completions === undefined) spec.completions = 1
  spec.parallelism ??= 1
  spec.backoffLimit ??= 6
  spec.completionMode ??= 'NonIndexed'
  spec.suspend ??= false
  const labels = spec.template?.metadata?.labels
  if (labels && Object.keys(job.metadata?.labels ?? {}).length === 0)
    job.metadata = { ...job.metadata, labels: { ...labels } }
}
