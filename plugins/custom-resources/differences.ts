import { defineDifference } from 'orch/sdk'

export const typedReasons = defineDifference({
  name: 'causes-of-custom-objects-have-reasons',
  since: '1.24',
  description:
    'What is wrong with a custom object is told as a wrong type, too long or too many, with the indexes of lists, and rules are then not run.',
  knownFrom: 'recorded',
})

export const rulesOfValidSchemas = defineDifference({
  name: 'rules-are-checked-in-valid-schemas',
  since: '1.25',
  description: 'The rules of a schema are checked only if the schema and its defaults are valid otherwise.',
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
  description: 'The estimated cost of a rule knows how large the results of functions such as split are.',
  knownFrom: 'source',
})

export const enumSizes = defineDifference({
  name: 'estimates-know-sizes-of-enums',
  since: '1.29',
  additive: true,
  description: 'The estimated cost of a rule knows that a string with an enum is no longer than its longest value.',
  knownFrom: 'source',
})

export const loopSizes = defineDifference({
  name: 'estimates-know-sizes-of-loops',
  since: '1.30',
  additive: true,
  description: 'The estimated cost of a rule knows how long the lists are that map and filter make.',
  knownFrom: 'source',
})

export const dynSizes = defineDifference({
  name: 'estimates-see-through-dyn',
  since: '1.33',
  additive: true,
  description: 'The estimated cost of a rule knows that dyn(x) is as large as x.',
  knownFrom: 'source',
})

export const statusAlone = defineDifference({
  name: 'custom-status-is-validated-alone',
  since: '1.28',
  additive: true,
  description: 'Who writes the status of a custom object is not told what is wrong with the rest of it.',
  knownFrom: 'source',
})

export const finalizerWarnings = defineDifference({
  name: 'finalizers-without-domain-are-warned-about',
  since: '1.29',
  additive: true,
  description: 'Who adds a finalizer without a domain to a custom object is warned.',
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
  description: 'What is invalid in the status of a custom object may stay so where it does not change.',
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
  description: 'Who creates an object of a definition that is being deleted is refused with 403 instead of 405.',
  knownFrom: 'source',
})

export const formatWarnings = defineDifference({
  name: 'unknown-formats-are-warned-about',
  since: '1.34',
  additive: true,
  description: 'Who writes a definition with a format that is not checked is warned.',
  knownFrom: 'source',
})

export const nameFormats = defineDifference({
  name: 'formats-of-names',
  since: '1.34',
  description: 'Strings may have the formats k8s-short-name and k8s-long-name.',
  knownFrom: 'source',
})

export const rulesInDocuments = defineDifference({
  name: 'openapi-v2-tells-rules',
  since: '1.25',
  description: 'The OpenAPI v2 document names the rules of definitions.',
  knownFrom: 'source',
})

export const examplesInDocuments = defineDifference({
  name: 'openapi-tells-examples',
  since: '1.36',
  additive: true,
  description: 'The OpenAPI documents contain the examples of schemas of definitions.',
  knownFrom: 'source',
})

export const numberFormats = defineDifference({
  name: 'formats-of-numbers-are-checked',
  since: '1.36',
  description: 'Integers of format int32 and int64 and numbers of format float must fit into them.',
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
  statusAlone,
  finalizerWarnings,
  wholeStatusPaths,
  statusRatchets,
  checkedBundles,
  refusesWhileEnding,
  formatWarnings,
  nameFormats,
  numberFormats,
  rulesInDocuments,
  examplesInDocuments,
]
