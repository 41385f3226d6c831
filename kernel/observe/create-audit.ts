import { readFileSync } from 'node:fs'
import { type Clock, type Logger, ownValue, type Vendor } from 'orch/sdk'
import type { KernelOptions } from '../boot/kernel-options.js'
import { type Audit, AuditLog, noAudit } from '../request/audit.js'
import { AuditFile } from '../request/audit-file.js'
import { AuditPolicy } from '../request/audit-policy.js'
import type { ResourceTypes } from '../resources/resource-types.js'

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
  const isSensitive = (group: string, resource: string, subresource: string) => {
    const definition = types.get(group, resource)?.definition
    const below = ownValue(definition?.subresources, subresource)
    return (definition?.sensitive ?? false) || (below?.kind === 'action' && (below.sensitive ?? false))
  }
  const policy = new AuditPolicy(text, isSensitive)
  const file = new AuditFile(options.auditLogPath, logger)
  return new AuditLog(policy, file, `${vendor.group('audit')}/v1`, () => clock.now())
}
