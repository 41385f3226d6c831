import type { VersionName } from './level.js'

/** Whether a feature gate is on. */
export type IsGateEnabled = (gate: string) => boolean

/** A switch for a feature that is not final yet: --feature-gates turns it on or off. */
export interface FeatureGate {
  /** `alpha` is off by default and `beta` on; `stable` is on for good. Where versions differ, the newest one. */
  readonly stage: GateStage
  readonly description: string
  /** Its stages in the versions of the API, oldest first. Without it every version has the gate at its stage. */
  readonly history?: readonly GateEra[]
}
/** The maturity of a feature. A `deprecated` gate restores the former behaviour, and has its own default. */
export type GateStage = 'alpha' | 'beta' | 'stable' | 'deprecated'
/** From a version on, a gate has this stage and default; a locked one cannot be changed. */
export interface GateEra {
  readonly since: VersionName
  readonly stage: GateStage
  readonly isOn: boolean
  readonly isLocked?: boolean
}
