import { defineDifference } from 'orch/sdk'

export const typedReasons = defineDifference({
  name: 'causes-of-custom-objects-have-reasons',
  since: '1.24',
  description:
    'Validation errors of a custom object are reported as TypeInvalid, TooLong or TooMany, with list indexes, and rules are then not run.',
  knownFrom: 'recorded',
})

export const rulesOfValidSchemas = defineDifference({
  name: 'rules-are-checked-in-valid-schemas',
  since: '1.25',
  description: 'The rules of a schema are checked only if the schema and its defaults are otherwise valid.',
  knownFrom: 'source',
})

export const untypedHidden = defineDifference({
  name: 'rules-do-not-see-values-without-a-type',
  since: '1.25',
  description: 'Rules of definitions cannot use values whose schema has no type.',
  knownFrom: 'recorded',
})

export const enumsBlockRules = defineDifference({
  name: 'values-that-are-not-in-an-enum-keep-rules-from-running',
  since: '1.29',
  description: 'The rules of a definition are not run for an object with a value that is not in its enum.',
  knownFrom: 'source',
})

export const resultSizes = defineDifference({
  name: 'estimates-know-sizes-of-results',
  since: '1.26',
  additive: true,
  description: 'The cost estimate of a rule accounts for the size of results of functions such as split.',
  knownFrom: 'source',
})

export const enumSizes = defineDifference({
  name: 'estimates-know-sizes-of-enums',
  since: '1.29',
  additive: true,
  description: 'The cost estimate of a rule accounts for the length of enum values.',
  knownFrom: 'source',
})

export const loopSizes = defineDifference({
  name: 'estimates-know-sizes-of-loops',
  since: '1.30',
  additive: true,
  description: 'The cost estimate of a rule accounts for the length of lists that map and filter return.',
  knownFrom: 'source',
})

export const dynSizes = defineDifference({
  name: 'estimates-see-through-dyn',
  since: '1.33',
  additive: true,
  description: 'The cost estimate of a rule treats dyn(x) as being as large as x.',
  knownFrom: 'source',
})

export const optionalSizes = defineDifference({
  name: 'estimates-know-sizes-of-optionals',
  since: '1.33',
  additive: true,
  description: 'The cost estimate of a rule treats an optional number, boolean or time as being as large as its value.',
  knownFrom: 'source',
})

export const statusAlone = defineDifference({
  name: 'custom-status-is-validated-alone',
  since: '1.28',
  additive: true,
  description: 'A write to the status of a custom object does not validate the rest of it.',
  knownFrom: 'source',
})

export const finalizerWarnings = defineDifference({
  name: 'finalizers-without-domain-cause-warnings',
  since: '1.29',
  additive: true,
  description: 'Adding a finalizer without a domain to a custom object causes a warning.',
  knownFrom: 'source',
})

export const wholeStatusPaths = defineDifference({
  name: 'errors-of-custom-status-have-whole-paths',
  since: '1.31',
  additive: true,
  description: 'Errors in the status of a custom object name the field from the root; before, from the status.',
  knownFrom: 'source',
})

export const statusRatchets = defineDifference({
  name: 'custom-status-may-stay-invalid',
  since: '1.33',
  additive: true,
  description: 'Invalid values in the status of a custom object are accepted if they do not change (ratcheting).',
  knownFrom: 'source',
})

export const checkedBundles = defineDifference({
  name: 'certificates-of-conversion-webhooks-are-checked',
  since: '1.31',
  description:
    'A definition whose conversion webhook has an invalid CA bundle is not established, and one that is established keeps its valid bundle.',
  knownFrom: 'source',
})

export const refusesWhileEnding = defineDifference({
  name: 'creating-while-a-definition-is-deleted-is-forbidden',
  since: '1.34',
  description: 'Creating an object of a CustomResourceDefinition that is being deleted fails with 403 instead of 405.',
  knownFrom: 'source',
})

export const formatWarnings = defineDifference({
  name: 'unknown-formats-cause-warnings',
  since: '1.34',
  additive: true,
  description: 'A CustomResourceDefinition with an unrecognized format causes a warning.',
  knownFrom: 'source',
})

export const nameFormats = defineDifference({
  name: 'formats-of-names',
  since: '1.35',
  description: 'Strings may have the formats k8s-short-name and k8s-long-name.',
  knownFrom: 'source',
})

export const rulesInDocuments = defineDifference({
  name: 'openapi-v2-has-rules',
  since: '1.25',
  description: 'The OpenAPI v2 document contains the CEL rules of CustomResourceDefinitions.',
  knownFrom: 'source',
})

export const examplesInDocuments = defineDifference({
  name: 'openapi-has-examples',
  since: '1.36',
  additive: true,
  description: 'The OpenAPI documents contain the examples of schemas of definitions.',
  knownFrom: 'source',
})

export const numberFormats = defineDifference({
  name: 'formats-of-numbers-are-checked',
  since: '1.36',
  description: 'Integers of format int32 and int64 and numbers of format float must be in the range of the format.',
  knownFrom: 'source',
})

export const statusKeepsMetadataOwners = defineDifference({
  name: 'metadata-of-custom-resources-is-not-owned-through-status',
  since: '1.36',
  description: 'A write of the status of a custom resource does not change who owns its metadata.',
  knownFrom: 'source',
})

export const closedParts = defineDifference({
  name: 'logical-parts-of-schemas-may-be-closed',
  since: '1.31',
  additive: true,
  description: 'Parts of a schema in allOf, anyOf, oneOf and not may have additionalProperties: false.',
  knownFrom: 'source',
})

export const noExamplesOfMetadata = defineDifference({
  name: 'schemas-of-metadata-have-no-examples',
  since: '1.36',
  description: 'The schema of the metadata of custom resources must not have an example or external documentation.',
  knownFrom: 'source',
})

export const statusItems = defineDifference({
  name: 'custom-status-has-unique-items',
  since: '1.26',
  description: 'A write of the status of a custom resource may not add repeated items to lists of type set and map.',
  knownFrom: 'source',
})

export const formatWarningsOfAllTypes = defineDifference({
  name: 'unknown-formats-of-any-type-cause-warnings',
  since: '1.36',
  additive: true,
  description: 'Unrecognized formats of all types cause warnings; before, only those of strings.',
  knownFrom: 'source',
})

export const definitionStatusOwnsMetadata = defineDifference({
  name: 'metadata-of-definitions-is-owned-through-status',
  since: '1.36',
  description: 'A write of the status of a CustomResourceDefinition changes who owns its metadata.',
  knownFrom: 'source',
})

export const customResourceDifferences = [
  typedReasons,
  rulesOfValidSchemas,
  untypedHidden,
  enumsBlockRules,
  resultSizes,
  enumSizes,
  loopSizes,
  dynSizes,
  optionalSizes,
  statusAlone,
  finalizerWarnings,
  wholeStatusPaths,
  statusRatchets,
  checkedBundles,
  refusesWhileEnding,
  formatWarnings,
  nameFormats,
  numberFormats,
  statusKeepsMetadataOwners,
  rulesInDocuments,
  examplesInDocuments,
  closedParts,
  noExamplesOfMetadata,
  statusItems,
  formatWarningsOfAllTypes,
  definitionStatusOwnsMetadata,
]
