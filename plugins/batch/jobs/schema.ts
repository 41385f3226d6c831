import {
  Bool,
  embedded,
  field,
  Int32,
  Int64,
  Kind,
  kept,
  LabelSelector,
  ListOf,
  ObjectMeta,
  required,
  type SentObjectOf,
  SetList,
  type Static,
  Struct,
  Text,
  Time,
} from 'orch/sdk'
import { PodTemplateSpec } from 'orch/sdk/core'
import { PodFailurePolicy, SuccessPolicy } from './policies.js'

export const JobSpec = Struct(
  'batch.v1.JobSpec',
  {
    parallelism: kept(1, Int32(), 'How many Pods may run at the same time. 1 by default.'),
    completions: kept(
      2,
      Int32(),
      'How many Pods must succeed. Without it, the success of any Pod is enough. 1 by default, unless parallelism is given.',
    ),
    activeDeadlineSeconds: kept(3, Int64(), 'How long the job may take before its Pods are deleted and it fails.'),
    backoffLimit: kept(7, Int32(), 'How often Pods may fail before the job fails. 6 by default.'),
    selector: kept(4, LabelSelector, 'Labels of the Pods. Filled in by the server, unless manualSelector is true.'),
    manualSelector: kept(5, Bool(), 'True if labels and selector are chosen by the creator of the job.'),
    template: required(6, PodTemplateSpec, 'The template for the Pods.'),
    ttlSecondsAfterFinished: kept(
      8,
      Int32(),
      'How long the job is kept after it has finished. Without it, it is kept for ever.',
    ),
    completionMode: kept(
      9,
      Text(),
      'NonIndexed (the default): Pods are interchangeable; Indexed: each has its own index.',
    ),
    suspend: kept(10, Bool(), 'While true, no Pods run; those that do are deleted. False by default.'),
    podFailurePolicy: kept(11, PodFailurePolicy, {
      description: 'Actions for failed Pods. The restart policy must be Never.',
      since: '1.25',
      gate: 'JobPodFailurePolicy',
    }),
    backoffLimitPerIndex: kept(12, Int32(), {
      description: 'How often Pods of an index may fail before the index fails. For Indexed only.',
      since: '1.28',
      gate: 'JobBackoffLimitPerIndex',
    }),
    maxFailedIndexes: kept(13, Int32(), {
      description: 'How many indexes may fail before the job fails. Requires backoffLimitPerIndex.',
      since: '1.28',
      gate: 'JobBackoffLimitPerIndex',
    }),
    podReplacementPolicy: kept(14, Text(), {
      description:
        'When a Pod is replaced: TerminatingOrFailed (the default), or Failed, which waits until it has ended. Only Failed with a podFailurePolicy.',
      since: '1.28',
      gate: 'JobPodReplacementPolicy',
    }),
    managedBy: kept(15, Text(), {
      description:
        'Name of the controller that runs the job, as domain/path, if it is another one. It cannot be changed.',
      since: '1.30',
      gate: 'JobManagedBy',
      gateAppliesTo: 'create',
    }),
    successPolicy: kept(16, SuccessPolicy, {
      description: 'When the job succeeds before all its Pods have. For Indexed only.',
      since: '1.30',
      gate: 'JobSuccessPolicy',
    }),
  },
  { description: 'Desired state of a job.' },
)
export type JobSpec = Static<typeof JobSpec>

export const JobCondition = Struct(
  'batch.v1.JobCondition',
  {
    type: required(1, Text(), 'What was observed: Complete, Failed or Suspended.'),
    status: required(2, Text(), 'True, False or Unknown.'),
    lastProbeTime: embedded(3, Time(), 'When it was last checked.'),
    lastTransitionTime: embedded(4, Time(), 'When the status last changed.'),
    reason: field(5, Text(), 'Machine-readable reason in one word.'),
    message: field(6, Text(), 'Human-readable message.'),
  },
  { description: 'Something observed about a job.' },
)
export type JobCondition = Static<typeof JobCondition>

export const UncountedTerminatedPods = Struct(
  'batch.v1.UncountedTerminatedPods',
  {
    succeeded: field(1, SetList(Text()), 'UIDs of Pods that have succeeded.'),
    failed: field(2, SetList(Text()), 'UIDs of Pods that have failed.'),
  },
  { description: 'Finished Pods that are not in the counts of the status yet.' },
)

export const JobStatus = Struct(
  'batch.v1.JobStatus',
  {
    conditions: field(
      1,
      ListOf(JobCondition, { listType: 'atomic', patchStrategy: 'merge', patchMergeKey: 'type' }),
      'Observed conditions.',
    ),
    startTime: kept(2, Time(), 'When the job was started, or last resumed.'),
    completionTime: kept(3, Time(), 'When the job completed. Not set if it failed.'),
    active: field(4, Int32(), 'How many Pods are pending or running.'),
    succeeded: field(5, Int32(), 'How many Pods have succeeded.'),
    failed: field(6, Int32(), 'How many Pods have failed.'),
    completedIndexes: field(7, Text(), 'Indexes of the Pods that have succeeded, such as 1,3-5,7.'),
    uncountedTerminatedPods: kept(8, UncountedTerminatedPods, 'Finished Pods that are not in the counts above yet.'),
    ready: kept(9, Int32(), 'How many Pods are ready.'),
    failedIndexes: kept(10, Text(), {
      description: 'Indexes of the Pods that have failed permanently, such as 1,3-5,7. With backoffLimitPerIndex.',
      since: '1.28',
    }),
    terminating: kept(11, Int32(), { description: 'How many Pods are being deleted.', since: '1.28' }),
  },
  { description: 'Observed state of a job.' },
)
export type JobStatus = Static<typeof JobStatus>

export const Job = Kind(
  'batch.v1.Job',
  {
    spec: embedded(2, JobSpec, 'Desired state.'),
    status: embedded(3, JobStatus, 'Observed state. Written by the system.'),
  },
  { description: 'Pods that run until a number of them has succeeded.' },
)
export type Job = SentObjectOf<typeof Job>

export const JobTemplateSpec = Struct(
  'batch.v1.JobTemplateSpec',
  {
    metadata: embedded(1, ObjectMeta, 'Labels and annotations of the jobs.'),
    spec: embedded(2, JobSpec, { description: 'Desired state of the jobs.', keepsGatedFields: true }),
  },
  { description: 'A template for jobs.' },
)
export type JobTemplateSpec = Static<typeof JobTemplateSpec>

/** Names the collection for clients and caches. */
export const jobCollection = { group: 'batch', version: 'v1', resource: 'jobs' } as const

/** Labels that the server sets on the Pods of a job, so that no other job selects them. */
export const podLabels = { job: 'job-name', uid: 'controller-uid' } as const
