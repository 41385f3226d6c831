import type { Vendor } from 'orch/sdk'
import { type LanguageVersion, languageVersionOf } from 'orch/sdk/expressions'
import {
  checkedBundles,
  closedParts,
  definitionStatusOwnsMetadata,
  dynSizes,
  enumSizes,
  enumsBlockRules,
  examplesInDocuments,
  finalizerWarnings,
  formatWarnings,
  formatWarningsOfAllTypes,
  loopSizes,
  nameFormats,
  noExamplesOfMetadata,
  numberFormats,
  optionalSizes,
  refusesWhileEnding,
  resultSizes,
  rulesInDocuments,
  rulesOfValidSchemas,
  statusAlone,
  statusItems,
  statusKeepsMetadataOwners,
  statusRatchets,
  typedReasons,
  untypedHidden,
  wholeStatusPaths,
} from './differences.js'
import type { Estimates } from './rules/estimates.js'

/**
 * Features of definitions and their objects in the served version. Plain data, because it is sent to the validation
 * thread.
 */
export interface Features {
  /** The language that new rules are written in. */
  readonly language: LanguageVersion
  /** How the cost of rules is estimated. */
  readonly estimates: Estimates
  readonly untypedHidden: boolean
  readonly typedReasons: boolean
  /** Whether rules are validated only if their schema is otherwise valid. */
  readonly rulesOfValidSchemas: boolean
  readonly enumsBlockRules: boolean
  readonly finalizerWarnings: boolean
  readonly checkedBundles: boolean
  readonly formatWarnings: boolean
  /** Whether unknown formats of all types cause warnings, and not only those of strings. */
  readonly formatWarningsOfAllTypes: boolean
  /** Whether logical parts of schemas may have `additionalProperties: false`. */
  readonly partsMayClose: boolean
  /** Whether the schema of metadata may have an example and a reference to documentation. */
  readonly metadataMayHaveExamples: boolean
  readonly refusesWhileEnding: boolean
  readonly nameFormats: boolean
  readonly numberFormats: boolean
  /** Whether an update may keep invalid values that it does not change. */
  readonly ratchets: boolean
  /** The same for an update of the status. */
  readonly statusRatchets: boolean
  readonly wholeStatusPaths: boolean
  /** Whether a write of the status is validated without the rest of the object. */
  readonly statusAlone: boolean
  /** Whether a write of the status may not repeat items of sets and map lists. */
  readonly statusItems: boolean
  /** Whether a write of the status of a definition changes the owners of its metadata. */
  readonly definitionStatusOwnsMetadata: boolean
  /** Whether a write of the status leaves the owners of metadata as they are. */
  readonly statusKeepsMetadataOwners: boolean
  readonly selectableFields: boolean
  /** Which parts of schemas OpenAPI documents contain. */
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
      optionalSizes: level.has(optionalSizes),
    },
    untypedHidden: level.has(untypedHidden),
    typedReasons: level.has(typedReasons),
    rulesOfValidSchemas: level.has(rulesOfValidSchemas),
    enumsBlockRules: level.has(enumsBlockRules),
    finalizerWarnings: level.has(finalizerWarnings),
    statusKeepsMetadataOwners: level.has(statusKeepsMetadataOwners),
    checkedBundles: level.has(checkedBundles),
    formatWarnings: level.has(formatWarnings),
    formatWarningsOfAllTypes: level.has(formatWarningsOfAllTypes),
    partsMayClose: level.has(closedParts),
    metadataMayHaveExamples: !level.has(noExamplesOfMetadata),
    refusesWhileEnding: level.has(refusesWhileEnding),
    nameFormats: level.has(nameFormats),
    numberFormats: level.has(numberFormats),
    ratchets: isEnabled('CRDValidationRatcheting'),
    statusRatchets: isEnabled('CRDValidationRatcheting') && level.has(statusRatchets),
    wholeStatusPaths: level.has(wholeStatusPaths),
    statusAlone: level.has(statusAlone),
    statusItems: level.has(statusItems),
    definitionStatusOwnsMetadata: level.has(definitionStatusOwnsMetadata),
    selectableFields: isEnabled('CustomResourceFieldSelectors'),
    documents: { rules: level.has(rulesInDocuments), examples: level.has(examplesInDocuments) },
  }
}
