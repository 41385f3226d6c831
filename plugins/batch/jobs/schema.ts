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

export const JobSpec = Struct(
  'batch.v1.JobSpec',
  {
    parallelism: kept(1, Int32(), 'How many Pods may run at the same time. 1 by default.'),
    completions: kept(
      2,
      Int32(),
      'How many Pods must succeed. Without it, the success of any Pod is that of all. 1 by default, unless parallelism is given.',
    ),
    activeDeadlineSeconds: kept(3, Int64(), 'How long the job may take before its Pods are ended and it has failed.'),
    backoffLimit: kept(7, Int32(), 'How often Pods may fail before the job has failed. 6 by default.'),
    selector: kept(4, LabelSelector, 'Labels of the Pods. Filled in by the server, unless manualSelector is true.'),
    manualSelector: kept(5, Bool(), 'True if labels and selector are chosen by whoever makes the job.'),
    template: required(6, PodTemplateSpec, 'The template for the Pods.'),
    ttlSecondsAfterFinished: kept(8, Int32(), 'How long the job stays after its end. Without it, it stays.'),
    completionMode: kept(
      9,
      Text(),
      'NonIndexed (the default): Pods are all alike; Indexed: each has a number of its own.',
    ),
    suspend: kept(10, Bool(), 'While true, no Pods run; those that do are deleted. False by default.'),
  },
  { description: 'What is to be done.' },
)
export type JobSpec = Static<typeof JobSpec>

export const JobCondition = Struct(
  'batch.v1.JobCondition',
  {
    type: required(1, Text(), 'What was observed: Complete, Failed or Suspended.'),
    status: required(2, Text(), 'True, False or Unknown.'),
    lastProbeTime: embedded(3, Time(), 'When it was last looked at.'),
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
  { description: 'Pods that have ended and are not in the numbers of the status yet.' },
)

export const JobStatus = Struct(
  'batch.v1.JobStatus',
  {
    conditions: field(
      1,
      ListOf(JobCondition, { listType: 'atomic', patchStrategy: 'merge', patchMergeKey: 'type' }),
      'Observed conditions.',
    ),
    startTime: kept(2, Time(), 'When the job was begun; anew each time it goes on after having been suspended.'),
    completionTime: kept(3, Time(), 'When the job was done. Not set if it failed.'),
    active: field(4, Int32(), 'How many Pods are pending or running.'),
    succeeded: field(5, Int32(), 'How many Pods have succeeded.'),
    failed: field(6, Int32(), 'How many Pods have failed.'),
    completedIndexes: field(7, Text(), 'Numbers of the Pods that have succeeded, such as 1,3-5,7.'),
    uncountedTerminatedPods: kept(
      8,
      UncountedTerminatedPods,
      'Pods that have ended and are not in the numbers above yet.',
    ),
    ready: kept(9, Int32(), 'How many Pods are ready.'),
  },
  { description: 'How far the job is.' },
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
    spec: embedded(2, JobSpec, 'What is to be done.'),
  },
  { description: 'A template for jobs.' },
)
export type JobTemplateSpec = Static<typeof JobTemplateSpec>

/** Names the collection for clients and caches. */
export const jobCollection = { group: 'batch', version: 'v1', resource: 'jobs' } as const

/** Labels that the server gives to a job's Pods, so that no other job selects them. */
export const podLabels = { job: 'job-name', uid: 'controller-uid' } as const
