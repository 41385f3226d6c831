import { ageColumn, type Column, nameColumn } from 'orch/sdk'
import type { ResourceQuota } from './schema.js'

/** `pods: 3/10, requests.cpu: 1/4` for the resources that are (or are not) limits. */
function usage({ status }: ResourceQuota, ofLimits: boolean): string {
  const hard = status?.hard ?? {}
  return Object.keys(hard)
    .filter(name => name.startsWith('limits.') === ofLimits)
    .sort()
    .map(name => `${name}: ${status?.used?.[name] ?? '0'}/${hard[name]}`)
    .join(', ')
}

export const columns: readonly Column<ResourceQuota>[] = [
  nameColumn as Column<ResourceQuota>,
  ageColumn as Column<ResourceQuota>,
  {
    name: 'Request',
    type: 'string',
    description: 'What is asked for and counted, of how much.',
    cell: quota => usage(quota, false),
  },
  { name: 'Limit', type: 'string', description: 'What is promised, of how much.', cell: quota => usage(quota, true) },
]
