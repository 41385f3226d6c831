import { readFileSync } from 'node:fs'
import type { Clock, Logger, Vendor } from 'orch/sdk'
import { auditRecordType } from 'orch/sdk/host'
import type { KernelOptions } from '../options/kernel-options.js'
import type { ResourceTypes } from '../types/resource-types.js'
import { type Audit, AuditLog, noAudit } from './audit.js'
import { AuditFile } from './audit-file.js'
import { AuditPolicy } from './audit-policy.js'

export interface AuditParts {
  readonly options: KernelOptions
  readonly vendor: Vendor
  readonly types: ResourceTypes
  readonly clock: Clock
  readonly logger: Logger
}

/** The audit log the options ask for; none by default. */
export function createAudit({ options, vendor, types, clock, logger }: AuditParts): Audit {
  if (options.auditLogPath === undefined) return noAudit
  const text = options.auditPolicyFile === undefined ? undefined : readFileSync(options.auditPolicyFile, 'utf8')
  const isSensitive = (group: string, resource: string, subresource: string) =>
    types.get(group, resource)?.isSensitive(subresource) ?? false
  const policy = new AuditPolicy(text, isSensitive)
  const file = new AuditFile(options.auditLogPath, logger)
  return new AuditLog(policy, file, auditRecordType(vendor), () => clock.now())
}
