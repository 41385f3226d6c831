import { isDeepStrictEqual } from 'node:util'
import {
  addAll,
  type FieldError,
  fieldNotFound,
  invalidValue,
  requiredValue,
  type ServedLevel,
  type Vendor,
} from 'orch/sdk'
import { isNativeResource, validateNodeSelector } from 'orch/sdk/core'
import { compareQuantities, isDns1123Subdomain, parseQuantity } from 'orch/sdk/validation'
import { attributeValuesAreLimited, missingNamesAreInvalid } from '../differences.js'
import { attributeNameMaxBytes, attributeValueMaxBytes, limits } from '../limits.js'
import {
  checkAttributeName,
  checkBindingConditions,
  checkChoice,
  checkLabel,
  checkLabelKey,
  checkLabelValue,
  checkLength,
  checkList,
  checkMap,
  checkSet,
  taintEffects,
} from '../schemas/rules.js'
import { validateCapacity } from './capacity-rules.js'
import type {
  AllocatableMapping,
  CounterConsumption,
  CounterSet,
  Device,
  DeviceAttribute,
  DeviceTaint,
} from './schema.js'

const shownAttributeName = 63 + 1 + attributeNameMaxBytes
const shownCounterName = 63
const anyNumber = Number.POSITIVE_INFINITY

/** Validates a device. `stored` is the stored device of that name; unchanged taints are not checked again. */
export function validateDevice(
  device: Device,
  stored: Device | undefined,
  saysWhereItIs: boolean,
  vendor: Vendor,
  field: string,
): FieldError[] {
  const { level } = vendor
  const { attributes = {}, capacity = {}, taints, consumesCounters } = device
  const isShared = device.allowMultipleAllocations ?? false
  const properties = Object.keys(attributes).length + Object.keys(capacity).length
  const values = Object.values(attributes).reduce((sum, each) => sum + countValues(each), 0)
  const tooManyOf = (count: number, of: string, max: number) =>
    count > max ? [invalidValue(field, count, `the total number of ${of} must not exceed ${max}`)] : []
  return [
    ...checkLabel(device.name, `${field}.name`),
    ...tooManyOf(properties, 'attributes and capacities', limits.attributesAndCapacities),
    ...(level.has(attributeValuesAreLimited) ? tooManyOf(values, 'attribute values', limits.attributeValues) : []),
    ...checkMap(
      attributes,
      anyNumber,
      checkAttributeName,
      validateAttribute,
      `${field}.attributes`,
      shownAttributeName,
      level,
    ),
    ...checkMap(
      capacity,
      anyNumber,
      checkAttributeName,
      (each, at) => validateCapacity(each, isShared, at, level),
      `${field}.capacity`,
      shownAttributeName,
      level,
    ),
    ...(stored && isDeepStrictEqual(stored.taints, taints)
      ? []
      : checkList(
          taints,
          limits.taints,
          (each, at) => validateTaint(each, undefined, at, level),
          `${field}.taints`,
          level,
        )),
    ...checkSet(
      consumesCounters,
      limits.counterSetsPerDevice,
      validateConsumption,
      { field: 'counterSet', of: ({ counterSet }) => counterSet },
      `${field}.consumesCounters`,
      level,
    ),
    ...validatePlace(device, saysWhereItIs, field),
    ...checkBindingConditions(
      device.bindingConditions,
      device.bindingFailureConditions,
      limits.bindingConditions,
      field,
      level,
    ),
    ...Object.entries(device.nodeAllocatableResourceMappings ?? {}).flatMap(([name, mapping]) =>
      validateMapping(name, mapping, capacity, vendor, `${field}.nodeAllocatableResourceMappings[${name}]`),
    ),
  ]
}

const lists = ['bools', 'ints', 'strings', 'versions'] as const
const countValues = (attribute: DeviceAttribute) =>
  lists.reduce((sum, name) => sum + (attribute[name]?.length ?? 0), 0) || 1

const semanticVersion =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$/
const checkText = (value: string, field: string) => checkLength(value, attributeValueMaxBytes, field)
const checkVersion = (value: string, field: string): FieldError[] => {
  const long = checkText(value, field)
  // A long text cannot be a version and is not parsed.
  const isVersion = value.length <= 1024 && semanticVersion.test(value)
  return isVersion ? long : [invalidValue(field, value, 'must be a semantic version'), ...long]
}

function validateAttribute(attribute: DeviceAttribute, field: string, level: ServedLevel): FieldError[] {
  const { string, version, strings = [], versions = [] } = attribute
  return [
    ...(string === undefined ? [] : checkText(string, `${field}.string`)),
    ...(version === undefined ? [] : checkVersion(version, `${field}.version`)),
    ...lists.flatMap(name =>
      attribute[name]?.length === 0 ? [invalidValue(`${field}.${name}`, [], 'must not be empty if specified')] : [],
    ),
    ...strings.flatMap((each, i) => checkText(each, `${field}.strings[${i}]`)),
    ...versions.flatMap((each, i) => checkVersion(each, `${field}.versions[${i}]`)),
    ...checkUnion(attribute, field, level),
  ]
}
function checkUnion(attribute: DeviceAttribute, field: string, level: ServedLevel): FieldError[] {
  const set = Object.values(attribute).filter(value => value !== undefined).length
  const rule = 'exactly one value must be specified'
  if (set > 1) return [invalidValue(field, attribute, rule)]
  if (set === 1) return []
  return [level.has(missingNamesAreInvalid) ? invalidValue(field, '', rule) : requiredValue(field, rule)]
}

/** Validates a taint; an unchanged effect is not checked again. */
export const validateTaint = (
  taint: DeviceTaint,
  stored: DeviceTaint | undefined,
  field: string,
  level: ServedLevel,
): FieldError[] => [
  ...checkLabelKey(taint.key, `${field}.key`),
  ...(taint.value ? checkLabelValue(taint.value, `${field}.value`) : []),
  ...(stored && stored.effect === taint.effect
    ? []
    : checkChoice(taint.effect, taintEffects(level), `${field}.effect`)),
]

const checkName = (name: string, field: string) => (name === '' ? [requiredValue(field)] : checkLabel(name, field))
const checkCounters = (
  counters: CounterSet['counters'] | undefined,
  field: string,
  level: ServedLevel,
): FieldError[] =>
  Object.keys(counters ?? {}).length === 0
    ? [requiredValue(field)]
    : checkMap(counters, limits.countersPerSet, checkLabel, () => [], field, shownCounterName, level)

export const validateCounterSet = ({ name, counters }: CounterSet, field: string, level: ServedLevel): FieldError[] => [
  ...checkName(name, `${field}.name`),
  ...checkCounters(counters, `${field}.counters`, level),
]
const validateConsumption = (
  { counterSet, counters }: CounterConsumption,
  field: string,
  level: ServedLevel,
): FieldError[] => [
  ...checkName(counterSet, `${field}.counterSet`),
  ...checkCounters(counters, `${field}.counters`, level),
]

export const checkNodeName = (name: string, field: string): FieldError[] =>
  isDns1123Subdomain(name).map(text => invalidValue(field, name, text))

/** The nodes of a device: all devices of a slice specify them, or none does. */
function validatePlace(device: Device, saysWhereItIs: boolean, field: string): FieldError[] {
  const { nodeName, nodeSelector, allNodes } = device
  if (!saysWhereItIs)
    return nodeName === undefined && nodeSelector === undefined && allNodes === undefined
      ? []
      : [
          invalidValue(
            field,
            null,
            'nodeName, nodeSelector and allNodes can only be set if perDeviceNodeSelection of the slice is true',
          ),
        ]
  const errors: FieldError[] = []
  if (nodeName === '') errors.push(invalidValue(`${field}.nodeName`, '', 'must not be empty'))
  else if (nodeName !== undefined) addAll(errors, checkNodeName(nodeName, `${field}.nodeName`))
  if (nodeSelector) addAll(errors, validateNodeSelector(nodeSelector, `${field}.nodeSelector`, { checksValues: true }))
  if (allNodes === false) errors.push(invalidValue(`${field}.allNodes`, false, 'must be either unset or set to true'))
  const said = [nodeName ? 'nodeName' : '', nodeSelector ? 'nodeSelector' : '', allNodes ? 'allNodes' : ''].filter(
    Boolean,
  )
  const rule = 'exactly one of nodeName, nodeSelector and allNodes is required when perDeviceNodeSelection is true'
  if (said.length === 0) errors.push(requiredValue(field, rule))
  if (said.length > 1) errors.push(invalidValue(field, said.join(', '), rule))
  return errors
}

function validateMapping(
  name: string,
  { allocationMultiplier, capacityKey }: AllocatableMapping,
  capacity: NonNullable<Device['capacity']>,
  vendor: Vendor,
  field: string,
): FieldError[] {
  const errors = isNativeResource(name, vendor)
    ? []
    : [invalidValue(field, name, 'must be a resource that nodes can allocate')]
  if (allocationMultiplier === undefined && capacityKey === undefined)
    return [...errors, invalidValue(field, '', 'at least one of allocationMultiplier and capacityKey must be set')]
  if (
    allocationMultiplier !== undefined &&
    compareQuantities(parseQuantity(allocationMultiplier), parseQuantity('0')) <= 0
  )
    errors.push(invalidValue(`${field}.allocationMultiplier`, allocationMultiplier, 'must be positive'))
  if (capacityKey === '') errors.push(invalidValue(`${field}.capacityKey`, '', 'must not be empty'))
  else if (capacityKey !== undefined && !Object.hasOwn(capacity, capacityKey))
    errors.push(fieldNotFound(`${field}.capacityKey`, capacityKey))
  return errors
}
