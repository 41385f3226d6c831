import type { Vendor } from 'orch/sdk'
import type { LiteralKind } from '../../libs/cel/index.js'
import {
  checkedBundles,
  enumsBlockRules,
  finalizerWarnings,
  formatWarnings,
  laggingLibraries,
  literalFormats,
  literalPatterns,
  nameFormats,
  numberFormats,
  refusesWhileEnding,
  rulesOfValidSchemas,
  statusRatchets,
  typedReasons,
  untypedHidden,
  wholeStatusPaths,
} from './differences.js'

/** What definitions and their objects can do in the version that is served. Plain data: the validation thread gets it, too. */
export interface Features {
  /** The version `1.minor` of Kubernetes whose functions new expressions may use; undefined for all. */
  readonly minorOfNewRules: number | undefined
  /** The literals that are checked when a rule is written. */
  readonly checksLiterals: readonly LiteralKind[]
  readonly untypedHidden: boolean
  readonly typedReasons: boolean
  /** Whether rules are checked only if their schema is valid otherwise. */
  readonly rulesOfValidSchemas: boolean
  readonly enumsBlockRules: boolean
  readonly finalizerWarnings: boolean
  readonly checkedBundles: boolean
  readonly formatWarnings: boolean
  readonly refusesWhileEnding: boolean
  readonly nameFormats: boolean
  readonly numberFormats: boolean
  /** Whether an update may keep what is invalid. */
  readonly ratchets: boolean
  /** The same of its status. */
  readonly statusRatchets: boolean
  readonly wholeStatusPaths: boolean
  readonly selectableFields: boolean
}

/** Since 1.29 the language checks literal times; new rules are checked as in the version before. */
const literalsSince = 29

export function featuresOf({ level }: Vendor, isEnabled: (gate: string) => boolean): Features {
  const minorOfLevel = Number(level.version.split('.')[1])
  const minor = level.isAdditive ? undefined : level.has(laggingLibraries) ? minorOfLevel - 1 : minorOfLevel
  return {
    minorOfNewRules: minor,
    checksLiterals: [
      ...(minor !== undefined && minor >= literalsSince ? (['durations', 'timestamps'] as const) : []),
      ...(level.has(literalPatterns) ? (['patterns', 'searches'] as const) : []),
      ...(level.has(literalFormats) ? (['formats'] as const) : []),
    ],
    untypedHidden: level.has(untypedHidden),
    typedReasons: level.has(typedReasons),
    rulesOfValidSchemas: level.has(rulesOfValidSchemas),
    enumsBlockRules: level.has(enumsBlockRules),
    finalizerWarnings: level.has(finalizerWarnings),
    checkedBundles: level.has(checkedBundles),
    formatWarnings: level.has(formatWarnings),
    refusesWhileEnding: level.has(refusesWhileEnding),
    nameFormats: level.has(nameFormats),
    numberFormats: level.has(numberFormats),
    ratchets: isEnabled('CRDValidationRatcheting'),
    statusRatchets: isEnabled('CRDValidationRatcheting') && level.has(statusRatchets),
    wholeStatusPaths: level.has(wholeStatusPaths),
    selectableFields: isEnabled('CustomResourceFieldSelectors'),
  }
}
