import type { VersionName } from './level.js'

/** A switch for something that not everybody wants yet: --feature-gates turns it on or off. */
export interface FeatureGate {
  /** `alpha` is off by default and `beta` on; `stable` is on for good. Where versions differ, the newest one. */
  readonly stage: GateStage
  readonly description: string
  /** Its stages in the versions of the API, oldest first. Without it every version has the gate at its stage. */
  readonly history?: readonly GateEra[]
}
/** How far a feature is: `deprecated` is a way back to what was before, and has a default of its own. */
export type GateStage = 'alpha' | 'beta' | 'stable' | 'deprecated'
/** From a version on, a gate has this stage and default; a locked one cannot be turned. */
export interface GateEra {
  readonly since: VersionName
  readonly stage: GateStage
  readonly isOn: boolean
  readonly isLocked?: boolean
}

/** A history as text: `1.18 alpha off, 1.24 beta on, 1.33 stable on locked`. */
export const readGateHistory = (history: string): readonly GateEra[] =>
  history.split(', ').map(era => {
    const [since, stage, isOn, locked] = era.split(' ')
    return {
      since: since as VersionName,
      stage: stage as GateStage,
      isOn: isOn === 'on',
      isLocked: locked !== undefined,
    }
  })
