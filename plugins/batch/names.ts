import type { Vendor } from 'orch/sdk'
import { alwaysTracked, keptMark } from './differences.js'

/** Every vendor-derived name of this plugin. */
export const batchNames = (vendor: Vendor) => ({
  /** On a job: its Pods are tracked with a finalizer, which has the same name. */
  tracking: vendor.qualify('job-tracking', 'batch'),
  /** On a Pod of an indexed job: its index. */
  completionIndex: vendor.qualify('job-completion-index', 'batch'),
  /** Labels of the Pods of a job, with the domain of the group. */
  jobName: vendor.qualify('job-name', 'batch'),
  controllerUid: vendor.qualify('controller-uid', 'batch'),
  /** On a Pod of a job with a limit per index: how often earlier Pods of the same index have failed. */
  indexFailures: vendor.qualify('job-index-failure-count', 'batch'),
  /** On a job of a cron job: when it was due. */
  scheduledTime: vendor.qualify('cronjob-scheduled-timestamp', 'batch'),
  /** The value of managedBy for this plugin's control loop. */
  manager: vendor.qualify('job-controller'),
  /** Whether jobs without the annotation are tracked. */
  tracksAlways: vendor.level.has(alwaysTracked),
  /** Whether the annotation stays if it is removed. */
  keepsMark: vendor.level.has(keptMark),
})
export type BatchNames = ReturnType<typeof batchNames>
