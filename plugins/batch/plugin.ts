import { definePlugin } from 'orch/sdk'
import { cronJobLoop } from './cron-jobs/controller.js'
import { cronJobs } from './cron-jobs/resource.js'
import { jobs } from './jobs/resource.js'
import { jobLoop, ttlLoop } from './jobs/running/controller.js'
import { batchNames } from './names.js'

export { conformance } from './conformance.js'

export const batch = definePlugin({
  name: 'batch',
  requires: ['namespaces', 'workloads'],
  register(to, { vendor }) {
    to.resource(jobs, cronJobs)
    to.controller(jobLoop(batchNames(vendor), vendor), ttlLoop(vendor), cronJobLoop(vendor))
  },
})
