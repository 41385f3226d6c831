import type { LiteralKind } from '../../../libs/cel/index.js'
import type { Features } from '../features.js'
import { allEstimates, type Estimates } from './estimates.js'

/** The language that the rules of a definition are written in. */
export interface RuleLanguage {
  /** The version `1.minor` of Kubernetes whose functions are available; undefined for all. */
  readonly minor: number | undefined
  /** The literals that are checked when a rule is compiled. */
  readonly checksLiterals: readonly LiteralKind[]
  /** How cost is estimated. */
  readonly estimates: Estimates
  /** Whether rules cannot use values without a type; otherwise these are dynamic. */
  readonly hidesUntyped: boolean
  /** Expressions that the stored definition has: they may use all functions. */
  readonly stored: ReadonlySet<string>
}

/** For rules that are being written. */
export const languageOfNewRules = (features: Features, stored: Iterable<string> = []): RuleLanguage => ({
  minor: features.language.minorOfNew,
  checksLiterals: features.language.checksLiterals,
  estimates: features.estimates,
  hidesUntyped: features.untypedHidden,
  stored: new Set(stored),
})

/** For rules that were accepted before. */
export const languageOfStoredRules = (features: Pick<Features, 'untypedHidden'>): RuleLanguage => ({
  minor: undefined,
  checksLiterals: [],
  estimates: allEstimates,
  hidesUntyped: features.untypedHidden,
  stored: new Set(),
})
