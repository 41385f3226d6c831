import { defineDifference } from 'orch/sdk'

export const prefixedLabels = defineDifference({
  name: 'jobs-have-prefixed-labels',
  since: '1.27',
  description: 'Jobs label and select their Pods by keys with the domain of the group; the old labels remain as well.',
  knownFrom: 'source',
})

export const manualSelectorDefault = defineDifference({
  name: 'manual-selector-is-defaulted',
  since: '1.29',
  description: 'manualSelector of a job defaults to false.',
  knownFrom: 'source',
})

export const replacementDefault = defineDifference({
  name: 'pod-replacement-policy-is-defaulted',
  since: '1.29',
  description: 'podReplacementPolicy is Failed for jobs with a podFailurePolicy and TerminatingOrFailed for others.',
  knownFrom: 'gate',
})

export const elasticIndexedJobs = defineDifference({
  name: 'indexed-jobs-are-elastic',
  since: '1.27',
  additive: true,
  description: 'completions of an indexed job may be changed together with parallelism.',
  knownFrom: 'gate',
})

export const strictJobStatus = defineDifference({
  name: 'job-status-is-strict',
  since: '1.32',
  description: 'Writes to the status of a job are validated, also against the previous status.',
  knownFrom: 'gate',
})

export const immutableStartTime = defineDifference({
  name: 'changed-start-times-are-invalid',
  since: '1.36',
  description:
    'A changed or removed startTime of a job that is not suspended is Invalid; before, it is reported as Required.',
  knownFrom: 'source',
})

export const successCriteria = defineDifference({
  name: 'success-criteria-of-jobs-are-checked',
  since: '1.30',
  description: 'The condition SuccessCriteriaMet of a job contradicts others, and once it is true it stays so.',
  knownFrom: 'source',
})

export const successCriteriaNeedPolicies = defineDifference({
  name: 'success-criteria-need-policies',
  since: '1.30',
  until: '1.30',
  description: 'Only indexed jobs with a successPolicy may have the condition SuccessCriteriaMet.',
  knownFrom: 'recorded',
})

export const zonesInSchedulesAreWarnedAbout = defineDifference({
  name: 'time-zones-in-schedules-cause-warnings',
  until: '1.28',
  description: 'A time zone in the schedule of a new cron job causes a warning.',
  knownFrom: 'recorded',
})

export const mutableSuspendedJobs = defineDifference({
  name: 'resources-of-suspended-jobs-are-mutable',
  since: '1.36',
  additive: true,
  description:
    'Container resources of a suspended job are mutable, and so are its scheduling directives when it is suspended again.',
  knownFrom: 'gate',
})

export const jobNameWarnings = defineDifference({
  name: 'names-of-jobs-cause-warnings',
  since: '1.27',
  description: 'A job or cron job whose name is not a DNS label causes a warning.',
  knownFrom: 'source',
})

export const schedulesWithoutZones = defineDifference({
  name: 'schedules-have-no-time-zones',
  since: '1.29',
  description: 'A time zone in the schedule of a cron job is rejected, since there is a field for it.',
  knownFrom: 'source',
})

export const alwaysTracked = defineDifference({
  name: 'jobs-are-always-tracked',
  since: '1.28',
  description: 'Every job tracks its Pods with a finalizer, without an annotation.',
  knownFrom: 'source',
})

export const keptMark = defineDifference({
  name: 'annotation-of-tracked-jobs-stays',
  since: '1.26',
  until: '1.27',
  description: 'An update cannot remove the annotation of a job that tracks its Pods.',
  knownFrom: 'source',
})

export const readyCount = defineDifference({
  name: 'jobs-count-ready-pods',
  since: '1.24',
  description: 'status.ready of a job is the number of its ready Pods.',
  knownFrom: 'gate',
})

export const terminatingCount = defineDifference({
  name: 'jobs-count-terminating-pods',
  since: '1.29',
  description: 'status.terminating of a job is the number of its Pods that are being deleted.',
  knownFrom: 'gate',
})

export const interimConditions = defineDifference({
  name: 'jobs-end-in-two-steps',
  since: '1.31',
  description:
    'A job first gets the condition FailureTarget or SuccessCriteriaMet, and then Failed or Complete when none of its Pods is running.',
  knownFrom: 'source',
})

export const indexLabels = defineDifference({
  name: 'pods-of-indexed-jobs-have-index-labels',
  since: '1.28',
  description: 'The index of a Pod of an indexed job is also a label, which its environment variable refers to.',
  knownFrom: 'gate',
})

export const scheduledTimeAnnotation = defineDifference({
  name: 'jobs-of-cron-jobs-have-their-scheduled-time',
  since: '1.28',
  additive: true,
  description:
    'A job created by a cron job has an annotation with its scheduled time, in the time zone of the cron job.',
  knownFrom: 'gate',
})

export const largeJobWarnings = defineDifference({
  name: 'large-indexed-jobs-cause-warnings',
  since: '1.28',
  description: 'Creating an indexed job with very many completions and high parallelism causes a warning.',
  knownFrom: 'source',
})

export const failingIndexes = defineDifference({
  name: 'failure-policies-fail-single-indexes',
  since: '1.28',
  additive: true,
  description: 'A rule of a podFailurePolicy may have the action FailIndex.',
  knownFrom: 'source',
})

export const batchDifferences = [
  largeJobWarnings,
  failingIndexes,
  scheduledTimeAnnotation,
  alwaysTracked,
  keptMark,
  immutableStartTime,
  readyCount,
  terminatingCount,
  interimConditions,
  indexLabels,
  prefixedLabels,
  manualSelectorDefault,
  replacementDefault,
  elasticIndexedJobs,
  strictJobStatus,
  successCriteria,
  successCriteriaNeedPolicies,
  zonesInSchedulesAreWarnedAbout,
  mutableSuspendedJobs,
  jobNameWarnings,
  schedulesWithoutZones,
]
