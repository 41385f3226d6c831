import type { Vendor } from 'orch/sdk'
import { type LanguageVersion, languageVersionOf } from 'orch/sdk/expressions'
import {
  checkedBundles,
  dynSizes,
  enumSizes,
  enumsBlockRules,
  examplesInDocuments,
  finalizerWarnings,
  formatWarnings,
  loopSizes,
  nameFormats,
  numberFormats,
  refusesWhileEnding,
  resultSizes,
  rulesInDocuments,
  rulesOfValidSchemas,
  statusAlone,
  statusRatchets,
  typedReasons,
  untypedHidden,
  wholeStatusPaths,
} from './differences.js'
import type { Estimates } from './rules/estimates.js'

/** What definitions and their objects can do in the version that is served. Plain data: the validation thread gets it, too. */
export interface Features {
  /** The language that new rules are written in. */
  readonly language: LanguageVersion
  /** What estimates of the cost of rules know. */
  readonly estimates: Estimates
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
  /** Whether a write of the status is validated without the rest of the object. */
  readonly statusAlone: boolean
  readonly selectableFields: boolean
  /** What OpenAPI documents contain of schemas. */
  readonly documents: { readonly rules: boolean; readonly examples: boolean }
}

export function featuresOf({ level }: Vendor, isEnabled: (gate: string) => boolean): Features {
  return {
    language: languageVersionOf(level),
    estimates: {
      resultSizes: level.has(resultSizes),
      enumSizes: level.has(enumSizes),
      loopSizes: level.has(loopSizes),
      dynSizes: level.has(dynSizes),
    },
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
    statusAlone: level.has(statusAlone),
    selectableFields: isEnabled('CustomResourceFieldSelectors'),
    documents: { rules: level.has(rulesInDocuments), examples: level.has(examplesInDocuments) },
  }
}
