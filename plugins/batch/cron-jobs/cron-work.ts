import type { ApiObject, ServedLevel } from 'orch/sdk'
import { ApiError } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import type { EventRecorder } from 'orch/sdk/controllers'
import type { ObjectReference } from 'orch/sdk/core'
import type { StoredJob } from '../jobs/running/job-state.js'
import type { BatchNames } from '../names.js'
import type { CronJob } from './schema.js'

export type StoredCronJob = ApiObject & CronJob

export interface CronWork {
  readonly names: BatchNames
  readonly level: ServedLevel
  readonly events: EventRecorder
  readonly jobs: ResourceClient<StoredJob>
  readonly cronJobs: ResourceClient<StoredCronJob>
  now(): number
}

export const referenceTo = ({ metadata }: StoredJob): ObjectReference => ({
  kind: 'Job',
  namespace: metadata.namespace ?? '',
  name: metadata.name ?? '',
  uid: metadata.uid ?? '',
  apiVersion: 'batch/v1',
  resourceVersion: metadata.resourceVersion ?? '',
})

/** Deletes a job of the cron job, but not a newer one of the same name. */
export async function deleteJob(
  { jobs, events }: CronWork,
  cronJob: StoredCronJob,
  name: string,
  uid: string,
): Promise<void> {
  try {
    await jobs
      .in(cronJob.metadata.namespace ?? '')
      .delete(name, { propagationPolicy: 'Background', preconditions: { uid } })
    void events.record(cronJob, 'Normal', 'SuccessfulDelete', `Deleted job ${name}`)
  } catch (error) {
    if (!(error instanceof ApiError && (error.code === 404 || error.code === 409))) throw error
  }
}
