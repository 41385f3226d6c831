import type { EstimateRules } from '../../../libs/cel/index.js'

/** What the estimated cost of rules accounts for. */
export interface Estimates extends EstimateRules {
  /** The length of the values of an enum. */
  readonly enumSizes: boolean
}
export const allEstimates: Estimates = {
  resultSizes: true,
  loopSizes: true,
  dynSizes: true,
  optionalSizes: true,
  enumSizes: true,
}
