import type { Vendor } from 'orch/sdk'

/** Every name of this plugin that carries the vendor's. */
export const batchNames = (vendor: Vendor) => ({
  /** On a job: its Pods are counted with the help of a finalizer, which has the same name. */
  tracking: vendor.qualify('job-tracking', 'batch'),
  /** On a Pod of an indexed job: its number. */
  completionIndex: vendor.qualify('job-completion-index', 'batch'),
})
export type BatchNames = ReturnType<typeof batchNames>
