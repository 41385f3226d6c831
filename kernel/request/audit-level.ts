/** How much of a request is recorded; each level includes what those before it record. */
const auditLevels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const
export type AuditLevel = (typeof auditLevels)[number]

/** Is as much recorded as `wanted` says? */
export const isRecorded = (level: AuditLevel, wanted: AuditLevel): boolean =>
  auditLevels.indexOf(level) >= auditLevels.indexOf(wanted)
