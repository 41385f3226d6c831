/** Rules of names, quantities, selectors, addresses and durations, for the validation of fields. */
export { addressGates, canonicalIp, isStrictCidr, isStrictIp, warningsAboutCidr } from './address-forms.js'
export { areAnnotationsTooLarge, maxAnnotationBytes } from './annotation-size.js'
export { type FieldRequirement, parseFieldSelector } from './field-selectors.js'
export { bytesOfIp, ipFromBytes, isInCidr, isValidCidr, isValidIp, isValidIpv4, isValidIpv6 } from './ip-addresses.js'
export { copyJson, sameJson, writeJson } from './json-values.js'
export { parseLabelSelector } from './label-selector-text.js'
export {
  dnsLabelMaxLength,
  dnsSubdomainMaxLength,
  isCIdentifier,
  isConfigMapKey,
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  isInRange,
  isKnownFinalizer,
  isPathSegmentName,
  isQualifiedName,
  isValidLabelValue,
  isValidPercent,
  isValidPortName,
  isValidPortNumber,
  isWildcardDns1123Subdomain,
  nameIsDns1035Label,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  nameIsPathSegment,
} from './object-names.js'
export {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type QuantityAmount,
  quantityValue,
  roundUpQuantity,
  subtractQuantities,
} from './quantity.js'
export { repeats } from './repeats.js'
export {
  describeFieldErrors,
  type LabelOperator,
  type Labels,
  labelKeyErrors,
  labelMatcher,
  labelSelectorMatcher,
  labelSelectorRequirements,
  type Requirement,
  validateLabelSelector,
  validateLabels,
} from './selectors.js'
export { domainOfSigner, isSignerOf, validateSignerName } from './signer-names.js'
export { validateUserAnnotations } from './user-annotations.js'
export { validateConditions } from './validate-conditions.js'
export { compareApiVersions } from './version-order.js'
