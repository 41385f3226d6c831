import { isDeepStrictEqual } from 'node:util'
import {
  addAll,
  duplicate,
  type FieldError,
  invalidValue,
  notSupported,
  requiredValue,
  tooLong,
  type Vendor,
} from 'orch/sdk'
import {
  checkNotNegative,
  checkSelected,
  checksSelectorValues,
  type PodTemplateSpec,
  validatePodTemplate,
} from 'orch/sdk/core'
import { isDns1123Label, isDns1123Subdomain, labelSelectorMatcher, validateLabelSelector } from 'orch/sdk/validation'
import {
  elasticIndexedJobs,
  mutableSuspendedJobs,
  strictJobStatus,
  successCriteria,
  successCriteriaNeedPolicies,
} from '../differences.js'
import type { Job, JobSpec, JobStatus } from './schema.js'
import { validateGeneratedSelector } from './selector.js'
import { validateFailurePolicy, validateSuccessPolicy } from './validate-policies.js'
import { isTrue, validateStrictStatus, validateSuccessCriteria } from './validate-status.js'

/** Limited, because the succeeded indexes are kept in the status. */
const maxIndexedParallelism = 100_000
const completionModes = ['NonIndexed', 'Indexed']
const restartPolicies = ['OnFailure', 'Never']

export const validateJob = (job: Job, vendor: Vendor, stored?: Job): FieldError[] => [
  ...validateGeneratedSelector(job, stored, vendor),
  ...validateWholeSpec(job.spec ?? ({} as JobSpec), 'spec', vendor, stored?.spec),
  ...validateHostNames(job),
]

/** The host names of an indexed job end with the index: the longest must be valid. */
function validateHostNames({ metadata, spec }: Job): FieldError[] {
  const { completionMode, completions = 0 } = spec ?? {}
  if (completionMode !== 'Indexed' || completions <= 0) return []
  const { name = '' } = metadata ?? {}
  const longest = `${name}-${completions - 1}`
  if (isDns1123Label(longest).length === 0) return []
  return [invalidValue('metadata.name', name, `will not able to create pod with invalid DNS label: ${longest}`)]
}

/** A spec with its selector, which those in templates must not have. */
function validateWholeSpec(spec: JobSpec, field: string, vendor: Vendor, stored?: JobSpec): FieldError[] {
  const errors = validateJobSpec(spec, field, vendor, stored)
  const { selector, template = {} } = spec
  const checksValues = checksSelectorValues(vendor.level, stored?.selector)
  if (selector) addAll(errors, validateLabelSelector(selector, `${field}.selector`, { checksValues }))
  else errors.push(requiredValue(`${field}.selector`))
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
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const

/** Errors of a spec at `field`, apart from its selector. */
export function validateJobSpec(spec: JobSpec, field: string, vendor: Vendor, stored?: JobSpec): FieldError[] {
  const { completionMode, completions, parallelism = 0, template = {} } = spec
  const errors = numbers.flatMap(name => checkNotNegative(spec[name], `${field}.${name}`))
  addAll(errors, validateManager(spec, field))
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
    addAll(errors, validateFailedIndexes(spec, field))
  } else if (completionMode === undefined || completionMode === 'NonIndexed')
    for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const)
      if (spec[name] !== undefined)
        errors.push(invalidValue(`${field}.${name}`, spec[name], 'requires indexed completion mode'))
  if (spec.podFailurePolicy) addAll(errors, validateFailurePolicy(spec, `${field}.podFailurePolicy`, vendor))
  if (spec.successPolicy) addAll(errors, validateSuccessPolicy(spec, `${field}.successPolicy`))
  addAll(errors, validateReplacement(spec, `${field}.podReplacementPolicy`))
  addAll(errors, validatePodTemplate(template, `${field}.template`, vendor, stored?.template))
  addAll(errors, validateRestartPolicy(spec, `${field}.template.spec.restartPolicy`))
  return errors
}

/** A Pod with the restart policy Always, which is the default of Pods, never finishes. */
function validateRestartPolicy({ template, podFailurePolicy }: JobSpec, field: string): FieldError[] {
  const { restartPolicy = '' } = template?.spec ?? {}
  if (restartPolicy === '' || restartPolicy === 'Always')
    return [requiredValue(field, 'valid values: "OnFailure", "Never"')]
  if (!restartPolicies.includes(restartPolicy)) return [notSupported(field, restartPolicy, restartPolicies)]
  return podFailurePolicy && restartPolicy !== 'Never'
    ? [invalidValue(field, restartPolicy, 'only "Never" is supported when podFailurePolicy is specified')]
    : []
}

const maxManagerLength = 63
/** The controller that runs the job, as a domain and a path. */
function validateManager({ managedBy, maxFailedIndexes, backoffLimitPerIndex }: JobSpec, field: string): FieldError[] {
  const errors: FieldError[] = []
  if (maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined)
    errors.push(requiredValue(`${field}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'))
  if (managedBy === undefined) return errors
  addAll(errors, isDomainPrefixedPath(managedBy, `${field}.managedBy`))
  if (managedBy.length > maxManagerLength) errors.push(tooLong(`${field}.managedBy`, maxManagerLength))
  return errors
}

const pathPart = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/
function isDomainPrefixedPath(value: string, field: string): FieldError[] {
  if (value === '') return [requiredValue(field)]
  const at = value.indexOf('/')
  if (at <= 0 || at === value.length - 1)
    return [invalidValue(field, value, 'must be a domain-prefixed path (such as "acme.io/foo")')]
  const domain = value.slice(0, at)
  return [
    ...isDns1123Subdomain(domain).map(text => invalidValue(field, domain, text)),
    ...(pathPart.test(value.slice(at + 1)) ? [] : [invalidValue(field, value.slice(at + 1), 'Invalid path')]),
  ]
}

/** With more completions a limit of failed indexes is required, and parallelism is limited. */
const manyCompletions = 100_000
const maxFailedIndexesEver = 100_000
const maxWhenMany = 10_000
function validateFailedIndexes(spec: JobSpec, field: string): FieldError[] {
  const { completions, parallelism, maxFailedIndexes: max, backoffLimitPerIndex } = spec
  const errors: FieldError[] = []
  const at = `${field}.maxFailedIndexes`
  if (completions !== undefined && max !== undefined && max > completions)
    errors.push(invalidValue(at, max, 'must be less than or equal to completions'))
  if (max !== undefined && max > maxFailedIndexesEver)
    errors.push(invalidValue(at, max, `must be less than or equal to ${maxFailedIndexesEver}`))
  if ((completions ?? 0) <= manyCompletions || backoffLimitPerIndex === undefined) return errors
  const why = `must be less than or equal to ${maxWhenMany} when completions are above ${manyCompletions} and used with backoff limit per index`
  if (max === undefined)
    errors.push(requiredValue(at, `must be specified when completions is above ${manyCompletions}`))
  if (parallelism !== undefined && parallelism > maxWhenMany)
    errors.push(invalidValue(`${field}.parallelism`, parallelism, why))
  if (max !== undefined && max > maxWhenMany) errors.push(invalidValue(at, max, why))
  return errors
}

const replacements = ['Failed', 'TerminatingOrFailed']
function validateReplacement({ podReplacementPolicy: policy, podFailurePolicy }: JobSpec, field: string): FieldError[] {
  const supported = podFailurePolicy ? ['Failed'] : replacements
  return policy === undefined || supported.includes(policy) ? [] : [notSupported(field, policy, supported)]
}

const fixed = [
  'selector',
  'completionMode',
  'podFailurePolicy',
  'backoffLimitPerIndex',
  'managedBy',
  'successPolicy',
] as const

/** A policy without rules equals one with an empty list of them. */
function comparable(spec: JobSpec | undefined, name: (typeof fixed)[number]): unknown {
  const policy = name === 'podFailurePolicy' ? spec?.podFailurePolicy : undefined
  return policy ? { ...policy, rules: policy.rules ?? [] } : spec?.[name]
}

export function validateJobUpdate(sent: Job, stored: Job, vendor: Vendor): FieldError[] {
  // Errors of the object are reported twice, as by the reference.
  const errors = validateJob(sent, vendor, stored)
  addAll(errors, validateWholeSpec(sent.spec ?? ({} as JobSpec), 'spec', vendor, stored.spec))
  addAll(errors, validateCompletions(sent, stored, vendor))
  const checkFixed = (name: (typeof fixed)[number]) => {
    if (!isDeepStrictEqual(comparable(sent.spec, name), comparable(stored.spec, name)))
      errors.push(invalidValue(`spec.${name}`, sent.spec?.[name], 'field is immutable'))
  }
  const [selector, ...others] = fixed
  checkFixed(selector)
  addAll(errors, validateTemplateUpdate(sent, stored, vendor))
  others.forEach(checkFixed)
  return errors
}

/** `completions` is immutable, except for indexed jobs if `parallelism` is changed to the same value. */
function validateCompletions({ spec: sent }: Job, { spec: stored }: Job, { level }: Vendor): FieldError[] {
  if (sent?.completions === stored?.completions) return []
  const field = 'spec.completions'
  if (sent?.completionMode !== 'Indexed' || !level.has(elasticIndexedJobs))
    return [invalidValue(field, sent?.completions, 'field is immutable')]
  return sent.completions === undefined || sent.completions === sent.parallelism
    ? []
    : [invalidValue(field, sent.completions, 'can only be modified in tandem with spec.parallelism')]
}

function validateTemplateUpdate(sent: Job, stored: Job, { level }: Vendor): FieldError[] {
  const { spec, status = {} } = stored
  const isStopped =
    spec?.suspend === true &&
    (status.startTime === undefined || isTrue(status, 'Suspended')) &&
    (status.active ?? 0) === 0
  const areMutable = level.has(mutableSuspendedJobs)
  const isSchedulingMutable = areMutable ? isStopped : spec?.suspend === true && status.startTime === undefined
  const template = isSchedulingMutable ? comparableTemplate(sent, stored) : spec?.template
  if (isDeepStrictEqual(sent.spec?.template, template)) return []
  if (!areMutable || !isStopped) return [invalidValue('spec.template', sent.spec?.template, 'field is immutable')]
  const podSpec = withResources(sent.spec?.template?.spec, template?.spec)
  return isDeepStrictEqual(sent.spec?.template?.spec, podSpec)
    ? []
    : [invalidValue('spec.template.spec', sent.spec?.template?.spec, 'field is immutable')]
}

type PodSpecOf = PodTemplateSpec['spec']
/** The stored spec with the resources of containers as they were sent. */
function withResources(sent: PodSpecOf, stored: PodSpecOf): PodSpecOf {
  if (!sent || !stored) return stored
  const result = { ...stored }
  for (const list of ['containers', 'initContainers'] as const) {
    const after = sent[list] ?? []
    const before = stored[list]
    if (!before || after.length !== before.length) continue
    result[list] = before.map((container, i) => {
      const { name, resources } = after[i]!
      return name === container.name ? withField(container, 'resources', resources) : container
    })
  }
  return result
}

/** The stored template with the scheduling constraints of the sent one, which are mutable while there are no Pods. */
function comparableTemplate({ spec: sent }: Job, { spec }: Job): PodTemplateSpec | undefined {
  const stored = spec?.template
  if (!stored || !sent?.template) return stored
  const { nodeSelector, tolerations, affinity, schedulingGates } = sent.template.spec ?? {}
  const { labels, annotations } = sent.template.metadata ?? {}
  const placed = withField(withField(stored.spec ?? {}, 'nodeSelector', nodeSelector), 'tolerations', tolerations)
  const podSpec = withField(placed, 'schedulingGates', schedulingGates)
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

export function validateJobStatus(sent: Job, stored: Job, { level }: Vendor): FieldError[] {
  const { status = {} } = sent
  const counts = ['active', 'succeeded', 'failed', 'ready', 'terminating'] as const
  const errors = counts.flatMap(name => checkNotNegative(status[name], `status.${name}`))
  const strict = level.has(strictJobStatus) ? validateStrictStatus(sent, stored, level) : []
  const criteria = level.has(successCriteria)
    ? validateSuccessCriteria(sent, stored, level.has(successCriteriaNeedPolicies))
    : []
  return [...errors, ...validateUncounted(status), ...strict, ...criteria]
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
