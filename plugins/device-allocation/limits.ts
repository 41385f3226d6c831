/** Maximum numbers of items in an object. Schedulers iterate over all of them for every Pod. */
export const limits = {
  allocationResults: 32,
  requests: 32,
  constraints: 32,
  configurations: 32,
  selectors: 32,
  alternatives: 8,
  reservations: 256,
  devices: 128,
  /** Devices with taints, counters or lists of values are larger. */
  devicesWithDetails: 64,
  counterSets: 8,
  countersPerSet: 32,
  counterSetsPerDevice: 2,
  attributesAndCapacities: 32,
  attributeValues: 48,
  taints: 16,
  validValues: 10,
  bindingConditions: 4,
  deviceConditions: 8,
  ruleConditions: 8,
  networkAddresses: 16,
} as const

export const poolNameMaxBytes = 253
export const attributeValueMaxBytes = 64
export const attributeNameMaxBytes = 32
export const expressionMaxBytes = 10 * 1024
export const expressionMaxCost = 1_000_000
/** For opaque parameters of drivers. */
export const opaqueMaxBytes = 10 * 1024
export const interfaceNameMaxBytes = 256
export const hardwareAddressMaxBytes = 128
