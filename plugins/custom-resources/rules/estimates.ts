import type { EstimateRules } from '../../../libs/cel/index.js'

/** What estimates of the cost of rules know. */
export interface Estimates extends EstimateRules {
  /** How long the values of an enum are. */
  readonly enumSizes: boolean
}
export const allEstimates: Estimates = { resultSizes: true, loopSizes: true, dynSizes: true, enumSizes: true }
