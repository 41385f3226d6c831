import { readFileSync } from 'node:fs'
import type { Clock, Vendor } from 'orch/sdk'
import type { KernelOptions } from '../boot/kernel-options.js'
import { type Audit, AuditLog, noAudit } from '../request/audit.js'
import { AuditPolicy } from '../request/audit-policy.js'
import type { ResourceTypes } from '../resources/resource-types.js'

/** The audit log the options ask for; none by default. */
export function createAudit(options: KernelOptions, vendor: Vendor, types: ResourceTypes, clock: Clock): Audit {
  if (options.auditLogPath === undefined) return noAudit
  const text = options.auditPolicyFile === undefined ? undefined : readFileSync(options.auditPolicyFile, 'utf8')
  const isSensitive = (group: string, resource: string, subresource: string) => {
    const definition = types.get(group, resource)?.definition
    const below = definition?.subresources?.[subresource]
    return (definition?.sensitive ?? false) || (below?.kind === 'action' && (below.sensitive ?? false))
  }
  return new AuditLog(new AuditPolicy(text, isSensitive), options.auditLogPath, `${vendor.group('audit')}/v1`, () =>
    clock.now(),
  )
}
