import { isDeepStrictEqual } from 'node:util'
import {
  addAll,
  duplicate,
  type FieldError,
  invalidValue,
  isDns1123Label,
  labelSelectorMatcher,
  notSupported,
  requiredValue,
  type Vendor,
  validateLabelSelector,
} from 'orch/sdk'
import { checkNotNegative, checkSelected, type PodTemplateSpec, validatePodTemplate } from 'orch/sdk/core'
import type { Job, JobSpec, JobStatus } from './schema.js'
import { validateGeneratedSelector } from './selector.js'

/** Each Pod of an indexed job has a number, and the numbers of those that are done are kept in the status. */
const maxIndexedParallelism = 100_000
const completionModes = ['NonIndexed', 'Indexed']
const restartPolicies = ['OnFailure', 'Never']

export const validateJob = (job: Job, vendor: Vendor): FieldError[] => [
  ...validateGeneratedSelector(job),
  ...validateWholeSpec(job.spec ?? ({} as JobSpec), 'spec', vendor),
  ...validateHostNames(job),
]

/** The Pods of an indexed job have host names that end with their numbers: the longest must be possible. */
function validateHostNames({ metadata, spec }: Job): FieldError[] {
  const { completionMode, completions = 0 } = spec ?? {}
  if (completionMode !== 'Indexed' || completions <= 0) return []
  const { name = '' } = metadata ?? {}
  const longest = `${name}-${completions - 1}`
  if (isDns1123Label(longest).length === 0) return []
  return [invalidValue('metadata.name', name, `will not able to create pod with invalid DNS label: ${longest}`)]
}

/** A spec with its selector, which those in templates must not have. */
function validateWholeSpec(spec: JobSpec, field: string, vendor: Vendor): FieldError[] {
  const errors = validateJobSpec(spec, field, vendor)
  const { selector, template = {} } = spec
  addAll(errors, selector ? validateLabelSelector(selector, `${field}.selector`) : [requiredValue(`${field}.selector`)])
  try {
    addAll(errors, checkSelected(template, labelSelectorMatcher(selector), `${field}.template`))
  } catch {
    // Errors of the selector have been reported already.
  }
  return errors
}

const numbers = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
] as const

/** What is wrong with a spec at `field`, apart from its selector. */
export function validateJobSpec(spec: JobSpec, field: string, vendor: Vendor): FieldError[] {
  const { completionMode, completions, parallelism = 0, template = {} } = spec
  const errors = numbers.flatMap(name => checkNotNegative(spec[name], `${field}.${name}`))
  if (completionMode !== undefined && !completionModes.includes(completionMode))
    errors.push(notSupported(`${field}.completionMode`, completionMode, completionModes))
  if (completionMode === 'Indexed') {
    if (completions === undefined) errors.push(requiredValue(`${field}.completions`, 'when completion mode is Indexed'))
    if (parallelism > maxIndexedParallelism)
      errors.push(
        invalidValue(
          `${field}.parallelism`,
          parallelism,
          `must be less than or equal to ${maxIndexedParallelism} when completion mode is Indexed`,
        ),
      )
  }
  addAll(errors, validatePodTemplate(template, `${field}.template`, vendor))
  addAll(errors, validateRestartPolicy(template, `${field}.template.spec.restartPolicy`))
  return errors
}

/** A Pod that is always restarted never ends. That policy is also what Pods have by default. */
function validateRestartPolicy({ spec }: PodTemplateSpec, field: string): FieldError[] {
  const { restartPolicy = '' } = spec ?? {}
  if (restartPolicy === '' || restartPolicy === 'Always')
    return [requiredValue(field, 'valid values: "OnFailure", "Never"')]
  return restartPolicies.includes(restartPolicy) ? [] : [notSupported(field, restartPolicy, restartPolicies)]
}

const fixed = ['completions', 'selector', 'completionMode'] as const

export function validateJobUpdate(sent: Job, stored: Job, vendor: Vendor): FieldError[] {
  // Clients see the errors of the object twice, as from the reference.
  const errors = validateJob(sent, vendor)
  addAll(errors, validateWholeSpec(sent.spec ?? ({} as JobSpec), 'spec', vendor))
  for (const name of fixed)
    if (!isDeepStrictEqual(sent.spec?.[name], stored.spec?.[name]))
      errors.push(invalidValue(`spec.${name}`, sent.spec?.[name], 'field is immutable'))
  if (!isDeepStrictEqual(sent.spec?.template, comparableTemplate(sent, stored)))
    errors.push(invalidValue('spec.template', sent.spec?.template, 'field is immutable'))
  return errors
}

/** The stored template, with what may be changed as it was sent: where Pods go, as long as there are none. */
function comparableTemplate({ spec: sent }: Job, { spec, status }: Job): PodTemplateSpec | undefined {
  const stored = spec?.template
  if (!spec?.suspend || status?.startTime || !stored || !sent?.template) return stored
  const { nodeSelector, tolerations, affinity } = sent.template.spec ?? {}
  const { labels, annotations } = sent.template.metadata ?? {}
  const podSpec = withField(withField(stored.spec ?? {}, 'nodeSelector', nodeSelector), 'tolerations', tolerations)
  const nodeAffinity = withField(stored.spec?.affinity ?? {}, 'nodeAffinity', affinity?.nodeAffinity)
  const hasAffinity = affinity !== undefined || Object.keys(nodeAffinity).length > 0
  return {
    ...stored,
    metadata: withField(withField(stored.metadata ?? {}, 'labels', labels), 'annotations', annotations),
    spec: withField(podSpec, 'affinity', hasAffinity ? nodeAffinity : undefined) as PodTemplateSpec['spec'] & object,
  }
}
function withField<T extends object>(holder: T, name: string, value: unknown): T {
  const { [name]: _, ...rest } = holder as Record<string, unknown>
  return (value === undefined ? rest : { ...rest, [name]: value }) as T
}

export function validateJobStatus({ status = {} }: Job): FieldError[] {
  const counts = ['active', 'succeeded', 'failed', 'ready'] as const
  const errors = counts.flatMap(name => checkNotNegative(status[name], `status.${name}`))
  return [...errors, ...validateUncounted(status)]
}

/** No Pod is counted twice. */
function validateUncounted({ uncountedTerminatedPods: pods }: JobStatus): FieldError[] {
  const seen = new Set<string>()
  const check = (uid: string, field: string): FieldError[] => {
    if (uid === '') return [invalidValue(field, uid, 'must not be empty')]
    if (seen.has(uid)) return [duplicate(field, uid)]
    seen.add(uid)
    return []
  }
  return (['succeeded', 'failed'] as const).flatMap(outcome =>
    (pods?.[outcome] ?? []).flatMap((uid, i) => check(uid, `status.uncountedTerminatedPods.${outcome}[${i}]`)),
  )
}
