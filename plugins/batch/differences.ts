import { defineDifference } from 'orch/sdk'

export const prefixedLabels = defineDifference({
  name: 'jobs-have-prefixed-labels',
  since: '1.27',
  description:
    'Jobs label and select their Pods by names with the domain of the group; the old labels stay beside them.',
  knownFrom: 'source',
})

export const manualSelectorDefault = defineDifference({
  name: 'manual-selector-is-defaulted',
  since: '1.29',
  description: 'manualSelector of a job is false unless it is given.',
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
  description: 'What is written to the status of a job must make sense, also beside what was there before.',
  knownFrom: 'gate',
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
  name: 'time-zones-in-schedules-are-warned-about',
  until: '1.28',
  description: 'Who writes a time zone into the schedule of a new cron job is warned.',
  knownFrom: 'recorded',
})

export const mutableSuspendedJobs = defineDifference({
  name: 'resources-of-suspended-jobs-are-mutable',
  since: '1.36',
  additive: true,
  description:
    'Resources of the containers of a suspended job can be changed, and where its Pods go also after it was suspended again.',
  knownFrom: 'gate',
})

export const jobNameWarnings = defineDifference({
  name: 'names-of-jobs-are-warned-about',
  since: '1.27',
  description: 'Who gives a job or cron job a name that is no DNS label is warned.',
  knownFrom: 'source',
})

export const schedulesWithoutZones = defineDifference({
  name: 'schedules-have-no-time-zones',
  since: '1.29',
  description: 'A time zone in the schedule of a cron job is refused, since there is a field for it.',
  knownFrom: 'source',
})

export const alwaysTracked = defineDifference({
  name: 'jobs-are-always-tracked',
  since: '1.28',
  description: 'Every job counts its Pods with the help of a finalizer, without an annotation that says so.',
  knownFrom: 'source',
})

export const readyCount = defineDifference({
  name: 'jobs-count-ready-pods',
  since: '1.24',
  description: 'status.ready of a job tells how many of its Pods are ready.',
  knownFrom: 'gate',
})

export const terminatingCount = defineDifference({
  name: 'jobs-count-terminating-pods',
  since: '1.29',
  description: 'status.terminating of a job tells how many of its Pods are being deleted.',
  knownFrom: 'gate',
})

export const interimConditions = defineDifference({
  name: 'jobs-end-in-two-steps',
  since: '1.31',
  description:
    'A job says FailureTarget or SuccessCriteriaMet first, and Failed or Complete when none of its Pods is left running.',
  knownFrom: 'source',
})

export const indexLabels = defineDifference({
  name: 'pods-of-indexed-jobs-have-index-labels',
  since: '1.28',
  description: 'The number of a Pod of an indexed job is a label, too, and its variable comes from it.',
  knownFrom: 'gate',
})

export const scheduledTimeAnnotation = defineDifference({
  name: 'jobs-of-cron-jobs-tell-when-they-were-due',
  since: '1.28',
  additive: true,
  description:
    'An annotation of a job that a cron job has made tells when it was due, in the time zone of the cron job.',
  knownFrom: 'gate',
})

export const largeJobWarnings = defineDifference({
  name: 'large-indexed-jobs-are-warned-about',
  since: '1.28',
  description: 'Who creates an indexed job with very many completions at a time is warned.',
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
