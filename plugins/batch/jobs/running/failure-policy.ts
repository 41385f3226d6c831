import type { BatchNames } from '../../names.js'
import type { PodFailurePolicyRule } from '../policies.js'
import { indexOf, type StoredJob, type StoredPod } from './job-state.js'

export interface Verdict {
  readonly action: string
  readonly message: string
}

/** The action of the first rule that matches a failed Pod; undefined if none does. */
export function verdictOn(job: StoredJob, pod: StoredPod): Verdict | undefined {
  const rules = job.spec?.podFailurePolicy?.rules ?? []
  const { namespace = '', name = '' } = pod.metadata
  for (const [i, rule] of rules.entries()) {
    const why = matchReason(rule, pod)
    if (why)
      return {
        action: rule.action,
        message: `${why} for pod ${namespace}/${name} matching ${rule.action} rule at index ${i}`,
      }
  }
  return undefined
}

function matchReason(
  { onExitCodes, onPodConditions }: PodFailurePolicyRule,
  { status }: StoredPod,
): string | undefined {
  if (onExitCodes) {
    const { containerName, operator, values } = onExitCodes
    const ended = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])]
    for (const { name, state } of ended) {
      const code = state?.terminated?.exitCode ?? 0
      if (code === 0 || (typeof containerName === 'string' && containerName !== name)) continue
      if ((values ?? []).includes(code) === (operator === 'In'))
        return `Container ${name} failed with exit code ${code}`
    }
    return undefined
  }
  const found = (status?.conditions ?? []).find(({ type, status: is }) =>
    onPodConditions?.some(pattern => pattern.type === type && (pattern.status ?? 'True') === is),
  )
  return found && `Pod has condition ${found.type}`
}

/** Whether a Pod is replaced only once it has failed, rather than as soon as it is being deleted. */
export const waitsForEnd = ({ spec }: StoredJob): boolean =>
  spec?.podReplacementPolicy === 'Failed' || spec?.podFailurePolicy !== undefined

/** How often Pods with the index of this one have failed, including this one. */
export function failuresOfIndex(job: StoredJob, pod: StoredPod, { indexFailures }: BatchNames): number {
  const before = Number(pod.metadata.annotations?.[indexFailures] ?? 0)
  return verdictOn(job, pod)?.action === 'Ignore' ? before : before + 1
}

/** Indexes whose Pods have failed too often, or matched FailIndex. */
export function failedIndexes(job: StoredJob, failed: readonly StoredPod[], names: BatchNames): number[] {
  const limit = job.spec?.backoffLimitPerIndex
  if (limit === undefined) return []
  return failed.flatMap(pod => {
    const index = indexOf(pod, names)
    if (index === undefined || index >= (job.spec?.completions ?? 0)) return []
    const isFinal = verdictOn(job, pod)?.action === 'FailIndex'
    return isFinal || failuresOfIndex(job, pod, names) > limit ? [index] : []
  })
}
