import type { Vendor } from 'orch/sdk'
import { auditRecordType } from 'orch/sdk/host'

/** How much of a request is recorded; each level includes what those before it record. */
const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const
export type AuditLevel = (typeof auditLevels)[number]

/** Whether the level includes what `wanted` records. */
export const isRecorded = (level: AuditLevel, wanted: AuditLevel): boolean =>
  auditLevels.indexOf(level) >= auditLevels.indexOf(wanted)

/** What is recorded of one request. Decided once, by the authenticated user; impersonation does not change it. */
export interface AuditDecision {
  readonly level: AuditLevel
  readonly omitStages: ReadonlySet<string>
  /** Whether bodies are recorded without `metadata.managedFields`. */
  readonly omitManagedFields: boolean
}

/** Annotation of an event whose bodies were dropped because they are too large. */
export const truncatedAnnotation = (vendor: Vendor): string =>
  `${auditRecordType(vendor).apiVersion.split('/')[0]}/truncated`
