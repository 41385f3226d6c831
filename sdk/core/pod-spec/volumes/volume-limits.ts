import type { ServedLevel } from '../../../plugin/level.js'
import type { ClaimRules } from '../../validation/persistent-volume-claim-spec-rules.js'
import type { HostAddressRules } from '../downward-fields.js'

/** Rules for volumes that depend on the vendor and the version. */
export interface VolumeLimits extends HostAddressRules {
  readonly level: ServedLevel
  readonly reservedDomains: readonly string[]
  /** Whether to accept what Kubernetes accepts beyond the specification. */
  readonly isLenient: boolean
  /** The domain of the vendor, whose signers issue certificates for a day at most. */
  readonly ownDomain: string
  /** Whether tokens may be outside of their volume. */
  readonly takesAnyTokenPath: boolean
  /** Whether the volumes are those of a template, which may leave to its users which image is mounted. */
  readonly isTemplate?: boolean
  /** The rules of claims of ephemeral volumes. */
  readonly claimRules: ClaimRules
}
