import type { Vendor } from 'orch/sdk'
import { alwaysTracked } from './differences.js'

/** Every name of this plugin that carries the vendor's. */
export const batchNames = (vendor: Vendor) => ({
  /** On a job: its Pods are counted with the help of a finalizer, which has the same name. */
  tracking: vendor.qualify('job-tracking', 'batch'),
  /** On a Pod of an indexed job: its number. */
  completionIndex: vendor.qualify('job-completion-index', 'batch'),
  /** Labels of the Pods of a job, since labels have the domain of their group. */
  jobName: vendor.qualify('job-name', 'batch'),
  controllerUid: vendor.qualify('controller-uid', 'batch'),
  /** On a Pod of a job with a limit per index: how often those before it with the same number have failed. */
  indexFailures: vendor.qualify('job-index-failure-count', 'batch'),
  /** On a job of a cron job: when it was due. */
  scheduledTime: vendor.qualify('cronjob-scheduled-timestamp', 'batch'),
  /** What managedBy of a job says when our own loop runs it. */
  manager: vendor.qualify('job-controller'),
  /** Are jobs tracked that do not say so? */
  tracksAlways: vendor.level.has(alwaysTracked),
})
export type BatchNames = ReturnType<typeof batchNames>
