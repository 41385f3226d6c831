import { type FieldError, forbiddenField, invalidValue, requiredValue, type ServedLevel, tooMany } from 'orch/sdk'
import { validateNodeSelector } from 'orch/sdk/core'
import { bytesOfIp, ipFromBytes, isValidIp, sameJson, validateConditions } from 'orch/sdk/validation'
import { hardwareAddressMaxBytes, interfaceNameMaxBytes, limits, opaqueMaxBytes } from '../limits.js'
import {
  checkReferences,
  checkRequestReference,
  type RequestNames,
  requestNamesOf,
  validateConfiguration,
} from '../schemas/claim-spec-rules.js'
import {
  byText,
  checkBindingConditions,
  checkChoice,
  checkDriver,
  checkLabel,
  checkLength,
  checkList,
  checkOpaque,
  checkPoolName,
  checkSet,
} from '../schemas/rules.js'
import type {
  AllocatedDevice,
  AllocatedDeviceStatus,
  AllocationResult,
  ConsumerReference,
  ResourceClaim,
} from './schema.js'

/** What identifies an allocated device: the device, and its share if it is shared. Names of pools may have slashes. */
export const deviceId = ({ driver, pool, device, shareID = '' }: AllocatedDevice | AllocatedDeviceStatus): string =>
  JSON.stringify([driver, pool, device, shareID])

export const allocatedIds = (allocation: AllocationResult | undefined): Set<string> =>
  new Set((allocation?.devices?.results ?? []).map(deviceId))

/** Validates an update of the status of a claim. */
export function validateStatusUpdate(claim: ResourceClaim, stored: ResourceClaim, level: ServedLevel): FieldError[] {
  const { allocation, reservedFor = [], devices } = claim.status ?? {}
  const before = stored.status ?? {}
  const names = requestNamesOf(claim.spec.devices ?? {})
  const allocated = allocatedIds(allocation)
  const at = 'status.reservedFor'
  const errors = [
    ...checkSet(reservedFor, limits.reservations, validateConsumer, { field: 'uid', of: ({ uid }) => uid }, at, level),
    ...checkSet(
      devices,
      Number.POSITIVE_INFINITY,
      (device, field) => validateDeviceStatus(device, allocated, field, level),
      { field: 'deviceID', of: deviceId },
      'status.devices',
      level,
    ),
  ]
  if (reservedFor.length > 0 && !allocation)
    errors.push(forbiddenField(at, 'may not be set while nothing is allocated'))
  else if (claim.metadata?.deletionTimestamp && hasNew(reservedFor, before.reservedFor ?? []))
    errors.push(forbiddenField(at, 'entries may not be added while the claim is being deleted'))
  if (!allocation) return errors
  // An unchanged allocation is already valid.
  if (before.allocation)
    return sameJson(allocation, before.allocation)
      ? errors
      : [...errors, invalidValue('status.allocation', allocation, 'field is immutable')]
  return [...errors, ...validateAllocation(allocation, names, 'status.allocation', level)]
}

const hasNew = (list: readonly ConsumerReference[], before: readonly ConsumerReference[]) =>
  list.some(each => !before.some(known => sameJson(known, each)))

const validateConsumer = (consumer: ConsumerReference, field: string): FieldError[] =>
  (['resource', 'name', 'uid'] as const).filter(name => !consumer[name]).map(name => requiredValue(`${field}.${name}`))

const validateAllocation = (
  { devices = {}, nodeSelector }: AllocationResult,
  names: RequestNames,
  field: string,
  level: ServedLevel,
) => [
  ...checkList(
    devices.results,
    limits.allocationResults,
    (result, at) => validateResult(result, names, at, level),
    `${field}.devices.results`,
    level,
  ),
  ...checkList(
    devices.config,
    2 * limits.configurations,
    (each, at) => [
      ...checkChoice(each.source, ['FromClaim', 'FromClass'], `${at}.source`),
      ...checkReferences(each.requests, names, `${at}.requests`, level),
      ...validateConfiguration(each, false, at, level),
    ],
    `${field}.devices.config`,
    level,
  ),
  ...(nodeSelector ? validateNodeSelector(nodeSelector, `${field}.nodeSelector`, { checksValues: true }) : []),
]

const validateResult = (
  result: AllocatedDevice,
  names: RequestNames,
  field: string,
  level: ServedLevel,
): FieldError[] => [
  ...checkRequestReference(result.request, names, `${field}.request`),
  ...checkDriver(result.driver, `${field}.driver`, level),
  ...checkPoolName(result.pool, `${field}.pool`),
  ...checkLabel(result.device, `${field}.device`),
  ...checkBindingConditions(
    result.bindingConditions,
    result.bindingFailureConditions,
    limits.bindingConditions,
    field,
    level,
  ),
  ...checkShare(result.shareID, `${field}.shareID`),
]

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const checkShare = (id: string | undefined, field: string): FieldError[] =>
  id === undefined || uuidForm.test(id) ? [] : [invalidValue(field, id, 'must be a UUID in lower case')]

function validateDeviceStatus(
  device: AllocatedDeviceStatus,
  allocated: ReadonlySet<string>,
  field: string,
  level: ServedLevel,
) {
  const { conditions = [], data, networkData } = device
  return [
    ...checkDriver(device.driver, `${field}.driver`, level),
    ...checkPoolName(device.pool, `${field}.pool`),
    ...checkLabel(device.device, `${field}.device`),
    ...checkShare(device.shareID, `${field}.shareID`),
    ...(allocated.has(deviceId(device))
      ? []
      : [invalidValue(field, deviceId(device), 'must be an allocated device in the claim')]),
    ...(conditions.length > limits.deviceConditions
      ? [tooMany(`${field}.conditions`, conditions.length, limits.deviceConditions)]
      : []),
    ...validateConditions(conditions, `${field}.conditions`),
    ...(data === undefined || data === null ? [] : checkOpaque(data, false, opaqueMaxBytes, `${field}.data`)),
    ...(networkData ? validateNetworkData(networkData, `${field}.networkData`, level) : []),
  ]
}

const validateNetworkData = (
  { interfaceName = '', hardwareAddress = '', ips }: NonNullable<AllocatedDeviceStatus['networkData']>,
  field: string,
  level: ServedLevel,
) => [
  ...checkLength(interfaceName, interfaceNameMaxBytes, `${field}.interfaceName`),
  ...checkLength(hardwareAddress, hardwareAddressMaxBytes, `${field}.hardwareAddress`),
  ...checkSet(ips, limits.networkAddresses, checkInterfaceAddress, byText, `${field}.ips`, level),
]

/** An address with the length of its prefix, in canonical form. */
function checkInterfaceAddress(value: string, field: string): FieldError[] {
  const [, address = '', length = ''] = /^(.*)\/(\d{1,3})$/.exec(value) ?? []
  const bits = isValidIp(address).length > 0 ? undefined : bytesOfIp(address).length * 8
  if (bits === undefined || Number(length) > bits)
    return [invalidValue(field, value, 'must be an address with the length of its prefix, such as 10.9.8.7/24')]
  const canonical = `${ipFromBytes(bytesOfIp(address))}/${Number(length)}`
  return value === canonical ? [] : [invalidValue(field, value, `must be in canonical form ("${canonical}")`)]
}
