import { defineResource } from 'orch/sdk'
import { columns } from './columns.js'
import { fillJob } from './defaults.js'
import { Job } from './schema.js'
import { mainStrategy, statusStrategy } from './strategy.js'

export const jobs = defineResource({
  group: 'batch',
  kind: 'Job',
  resource: 'jobs',
  categories: ['all'],
  namespaced: true,
  versions: [{ name: 'v1', schema: Job, defaults: fillJob }],
  strategy: mainStrategy,
  // Its clients expect the Pods and their logs to stay.
  deletion: {
    defaultPropagation: 'Orphan',
    propagationWarning:
      'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  },
  subresources: { status: { kind: 'update', strategy: statusStrategy } },
  selectableFields: { 'status.successful': ({ status }: Job) => String(status?.succeeded ?? 0) },
  columns,
})
