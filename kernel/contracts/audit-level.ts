import type { Vendor } from 'orch/sdk'
import { auditRecordType } from 'orch/sdk/host'

/** How much of a request is recorded; each level includes what those before it record. */
const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const
export type AuditLevel = (typeof auditLevels)[number]

/** Is as much recorded as `wanted` says? */
export const isRecorded = (level: AuditLevel, wanted: AuditLevel): boolean =>
  auditLevels.indexOf(level) >= auditLevels.indexOf(wanted)

/** What is recorded of one request. It is decided once, by who sent it: whom they act as changes nothing. */
export interface AuditDecision {
  readonly level: AuditLevel
  readonly omitStages: ReadonlySet<string>
  /** Are bodies recorded without the notes of who manages which field? */
  readonly omitManagedFields: boolean
}

/** What the event of a request is marked with that goes without what was sent or answered, because that is too large. */
export const truncatedAnnotation = (vendor: Vendor): string =>
  `${auditRecordType(vendor).apiVersion.split('/')[0]}/truncated`
