import { definePlugin, type FeatureGate } from 'orch/sdk'
import { cronJobLoop } from './cron-jobs/controller.js'
import { cronJobs } from './cron-jobs/resource.js'
import { batchDifferences } from './differences.js'
import { jobs } from './jobs/resource.js'
import { jobLoop, ttlLoop } from './jobs/running/controller.js'
import { batchNames } from './names.js'

export { conformance } from './conformance.js'

const gates = {
  JobTrackingWithFinalizers: {
    stage: 'alpha',
    description: 'Pods of new jobs are kept by a finalizer until they have been counted.',
  },
  CronJobTimeZone: { stage: 'stable', description: 'Schedules have time zones.' },
  JobBackoffLimitPerIndex: { stage: 'stable', description: 'Indexed jobs may limit the failures of each index.' },
  JobManagedBy: { stage: 'stable', description: 'Other controllers may run jobs.' },
  JobPodFailurePolicy: { stage: 'stable', description: 'Jobs may have a policy for failed Pods.' },
  JobPodReplacementPolicy: { stage: 'stable', description: 'Jobs may set when Pods are replaced.' },
  JobSuccessPolicy: { stage: 'stable', description: 'Jobs may succeed before all Pods have.' },
} as const satisfies Readonly<Record<string, FeatureGate>>

export const batch = definePlugin({
  name: 'batch',
  requires: ['namespaces', 'workloads'],
  gates,
  differences: batchDifferences,
  register(to, { vendor, isEnabled }) {
    const names = batchNames(vendor)
    const tracks = isEnabled('JobTrackingWithFinalizers')
    to.resource(jobs(names, tracks, isEnabled('JobBackoffLimitPerIndex')), cronJobs)
    to.controller(jobLoop(names, vendor, tracks), ttlLoop(vendor), cronJobLoop(names, vendor))
  },
})
