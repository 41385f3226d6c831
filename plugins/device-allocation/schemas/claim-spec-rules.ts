import { addAll, type FieldError, invalidValue, notSupported, requiredValue } from 'orch/sdk'
import { sameJson } from 'orch/sdk/validation'
import type { DeviceGates } from '../gates.js'
import { expressionMaxBytes, limits, opaqueMaxBytes } from '../limits.js'
import type { DeviceClaim, DeviceConstraint, DeviceRequest, ResourceClaimSpec } from './claim-spec-schema.js'
import type {
  DeviceConfiguration,
  DeviceSelector,
  DeviceSubRequest,
  DeviceToleration,
  ExactDeviceRequest,
} from './request-schema.js'
import {
  checkClassName,
  checkDriver,
  checkFullAttributeName,
  checkLabel,
  checkLabelKey,
  checkLabelValue,
  checkLength,
  checkList,
  checkOpaque,
  checkSet,
  taintEffects,
} from './rules.js'

/** An empty list of requests is none. */
export function isSameSpec(one: ResourceClaimSpec, other: ResourceClaimSpec): boolean {
  const comparable = ({ devices, ...rest }: ResourceClaimSpec) => ({
    ...rest,
    devices: { ...devices, requests: devices?.requests ?? [] },
  })
  return sameJson(comparable(one), comparable(other))
}

/** The names of the requests of a claim, each with the names of its alternatives. */
export type RequestNames = ReadonlyMap<string, ReadonlySet<string>>
export const requestNamesOf = ({ requests }: DeviceClaim): RequestNames =>
  new Map(
    (requests ?? []).map(({ name, firstAvailable = [] }) => [name, new Set(firstAvailable.map(({ name }) => name))]),
  )

const isKnown = (names: RequestNames, [request = '', alternative, ...rest]: readonly string[]) =>
  rest.length === 0 && names.has(request) && (alternative === undefined || names.get(request)!.has(alternative))

/** A request, or a request and one of its alternatives with a slash between them. */
export function checkRequestReference(name: string, names: RequestNames, field: string): FieldError[] {
  const unknown = invalidValue(
    field,
    name,
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'",
  )
  const parts = name.split('/')
  if (parts.length > 2) return [unknown]
  return [...parts.flatMap(part => checkLabel(part, field)), ...(isKnown(names, parts) ? [] : [unknown])]
}

export const validateClaimSpec = (
  { devices = {} }: ResourceClaimSpec,
  field: string,
  gates: Pick<DeviceGates, 'canShareDevices'>,
): FieldError[] => {
  const { requests, constraints, config } = devices
  const names = requestNamesOf(devices)
  const at = `${field}.devices`
  return [
    ...checkSet(requests, limits.requests, validateRequest, ({ name }) => name, `${at}.requests`),
    ...checkList(
      constraints,
      limits.constraints,
      (each, at) => validateConstraint(each, names, gates, at),
      `${at}.constraints`,
    ),
    ...checkList(
      config,
      limits.configurations,
      (each, at) => [
        ...checkReferences(each.requests, names, `${at}.requests`),
        ...validateConfiguration(each, false, at),
      ],
      `${at}.config`,
    ),
  ]
}

export const checkReferences = (list: readonly string[] | undefined, names: RequestNames, field: string) =>
  checkSet(
    list,
    limits.requests,
    (name, at) => checkRequestReference(name, names, at),
    name => name,
    field,
  )

function validateRequest(request: DeviceRequest, field: string): FieldError[] {
  const { name, exactly, firstAvailable = [] } = request
  const errors = checkLabel(name, `${field}.name`)
  if (exactly && firstAvailable.length > 0)
    return [...errors, invalidValue(field, null, 'must have either exactly or firstAvailable, not both')]
  if (exactly) return [...errors, ...validateWanted(exactly, `${field}.exactly`)]
  if (firstAvailable.length === 0)
    return [...errors, requiredValue(field, 'exactly one of exactly and firstAvailable is required')]
  return [
    ...errors,
    ...checkSet(firstAvailable, limits.alternatives, validateAlternative, each => each.name, `${field}.firstAvailable`),
  ]
}

const validateAlternative = (request: DeviceSubRequest, field: string): FieldError[] => [
  ...checkLabel(request.name, `${field}.name`),
  ...validateWanted(request, field),
]

const validateWanted = (wanted: ExactDeviceRequest | DeviceSubRequest, field: string): FieldError[] => [
  ...checkClassName(wanted.deviceClassName, `${field}.deviceClassName`),
  ...validateSelectors(wanted.selectors, `${field}.selectors`),
  ...checkCount(wanted, field),
  ...(wanted.tolerations ?? []).flatMap((each, i) => validateToleration(each, `${field}.tolerations[${i}]`)),
]

function checkCount({ allocationMode = '', count = 0 }: ExactDeviceRequest | DeviceSubRequest, field: string) {
  switch (allocationMode) {
    case 'All':
      return count === 0 ? [] : [invalidValue(`${field}.count`, count, 'must not be set when allocationMode is All')]
    case 'ExactCount':
      return count > 0 ? [] : [invalidValue(`${field}.count`, count, 'must be greater than zero')]
    default:
      return [notSupported(`${field}.allocationMode`, allocationMode, ['All', 'ExactCount'])]
  }
}

/** Selectors as far as it can be said without compiling their expressions. */
export const validateSelectors = (selectors: readonly DeviceSelector[] | undefined, field: string): FieldError[] =>
  checkList(
    selectors,
    limits.selectors,
    ({ cel }, at) =>
      cel ? checkLength(cel.expression, expressionMaxBytes, `${at}.cel.expression`) : [requiredValue(`${at}.cel`)],
    field,
  )

export function validateToleration(toleration: DeviceToleration, field: string): FieldError[] {
  const { key = '', operator = '', value = '', effect = '' } = toleration
  const errors = key === '' ? [] : checkLabelKey(key, `${field}.key`)
  if (operator === 'Exists') {
    if (value !== '') errors.push(invalidValue(`${field}.value`, value, 'must be empty for operator Exists'))
  } else if (operator === 'Equal') addAll(errors, checkLabelValue(value, `${field}.value`))
  else if (operator === '') errors.push(requiredValue(`${field}.operator`))
  else errors.push(notSupported(`${field}.operator`, operator, ['Equal', 'Exists']))
  if (effect !== '' && !taintEffects.includes(effect))
    errors.push(notSupported(`${field}.effect`, effect, taintEffects))
  return errors
}

function validateConstraint(
  constraint: DeviceConstraint,
  names: RequestNames,
  { canShareDevices }: Pick<DeviceGates, 'canShareDevices'>,
  field: string,
): FieldError[] {
  const { matchAttribute, distinctAttribute, requests } = constraint
  return [
    ...checkReferences(requests, names, `${field}.requests`),
    ...(matchAttribute !== undefined
      ? checkFullAttributeName(matchAttribute, `${field}.matchAttribute`)
      : distinctAttribute !== undefined
        ? checkFullAttributeName(distinctAttribute, `${field}.distinctAttribute`)
        : canShareDevices
          ? [requiredValue(field, 'one of matchAttribute and distinctAttribute is required')]
          : [requiredValue(`${field}.matchAttribute`)]),
  ]
}

export function validateConfiguration({ opaque }: DeviceConfiguration, isStored: boolean, field: string): FieldError[] {
  const at = `${field}.opaque`
  if (!opaque) return [requiredValue(at)]
  return [
    ...checkDriver(opaque.driver, `${at}.driver`),
    ...checkOpaque(opaque.parameters, isStored, opaqueMaxBytes, `${at}.parameters`),
  ]
}

/** A selector and where it stands. */
export interface PlacedSelector {
  readonly expression: string
  readonly field: string
}
/** All expressions of a claim that are worth compiling. */
export function expressionsOfSpec({ devices = {} }: ResourceClaimSpec, field: string): PlacedSelector[] {
  return (devices.requests ?? []).slice(0, limits.requests).flatMap((request, i) => {
    const at = `${field}.devices.requests[${i}]`
    const alternatives = (request.firstAvailable ?? []).slice(0, limits.alternatives)
    if (request.exactly && alternatives.length > 0) return []
    return [
      ...expressionsOf(request.exactly?.selectors, `${at}.exactly.selectors`),
      ...alternatives.flatMap((each, j) => expressionsOf(each.selectors, `${at}.firstAvailable[${j}].selectors`)),
    ]
  })
}
export function expressionsOf(selectors: readonly DeviceSelector[] | undefined, field: string): PlacedSelector[] {
  const all = selectors ?? []
  if (all.length > limits.selectors) return []
  return all.flatMap(({ cel }, i) =>
    cel && Buffer.byteLength(cel.expression) <= expressionMaxBytes
      ? [{ expression: cel.expression, field: `${field}[${i}].cel.expression` }]
      : [],
  )
}
