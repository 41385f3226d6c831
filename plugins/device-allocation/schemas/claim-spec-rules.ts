import { addAll, type FieldError, invalidValue, notSupported, requiredValue, type ServedLevel } from 'orch/sdk'
import { sameJson } from 'orch/sdk/validation'
import { eitherRequestIsChecked, longListsAreNotRead } from '../differences.js'
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
  byName,
  byText,
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
  level: ServedLevel,
): FieldError[] => {
  const { requests, constraints, config } = devices
  const names = requestNamesOf(devices)
  const at = `${field}.devices`
  return [
    ...checkSet(requests, limits.requests, validateRequest, byName, `${at}.requests`, level),
    ...checkList(
      constraints,
      limits.constraints,
      (each, at) => validateConstraint(each, names, gates, at, level),
      `${at}.constraints`,
      level,
    ),
    ...checkList(
      config,
      limits.configurations,
      (each, at) => [
        ...checkReferences(each.requests, names, `${at}.requests`, level),
        ...validateConfiguration(each, false, at, level),
      ],
      `${at}.config`,
      level,
    ),
  ]
}

export const checkReferences = (
  list: readonly string[] | undefined,
  names: RequestNames,
  field: string,
  level: ServedLevel,
) => checkSet(list, limits.requests, (name, at) => checkRequestReference(name, names, at), byText, field, level)

function validateRequest(request: DeviceRequest, field: string, level: ServedLevel): FieldError[] {
  const { name, exactly, firstAvailable = [] } = request
  const at = `${field}.firstAvailable`
  const parts = () => [
    ...checkSet(firstAvailable, limits.alternatives, validateAlternative, byName, at, level),
    ...(exactly ? validateWanted(exactly, `${field}.exactly`, level) : []),
  ]
  const errors = checkLabel(name, `${field}.name`)
  if (exactly && firstAvailable.length > 0)
    return [
      ...errors,
      ...(level.has(eitherRequestIsChecked) ? [] : parts()),
      invalidValue(field, null, 'must have either exactly or firstAvailable, not both'),
    ]
  if (!exactly && firstAvailable.length === 0)
    return [...errors, requiredValue(field, 'exactly one of exactly and firstAvailable is required')]
  return [...errors, ...parts()]
}

const validateAlternative = (request: DeviceSubRequest, field: string, level: ServedLevel): FieldError[] => [
  ...checkLabel(request.name, `${field}.name`),
  ...validateWanted(request, field, level),
]

const validateWanted = (
  wanted: ExactDeviceRequest | DeviceSubRequest,
  field: string,
  level: ServedLevel,
): FieldError[] => [
  ...checkClassName(wanted.deviceClassName, `${field}.deviceClassName`),
  ...validateSelectors(wanted.selectors, `${field}.selectors`, level),
  ...checkCount(wanted, field),
  ...(wanted.tolerations ?? []).flatMap((each, i) => validateToleration(each, `${field}.tolerations[${i}]`, level)),
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
export const validateSelectors = (
  selectors: readonly DeviceSelector[] | undefined,
  field: string,
  level: ServedLevel,
): FieldError[] =>
  checkList(
    selectors,
    limits.selectors,
    ({ cel }, at) =>
      cel ? checkLength(cel.expression, expressionMaxBytes, `${at}.cel.expression`) : [requiredValue(`${at}.cel`)],
    field,
    level,
  )

export function validateToleration(toleration: DeviceToleration, field: string, level: ServedLevel): FieldError[] {
  const { key = '', operator = '', value = '', effect = '' } = toleration
  const errors = key === '' ? [] : checkLabelKey(key, `${field}.key`)
  if (operator === 'Exists') {
    if (value !== '') errors.push(invalidValue(`${field}.value`, value, 'must be empty for operator Exists'))
  } else if (operator === 'Equal') addAll(errors, checkLabelValue(value, `${field}.value`))
  else if (operator === '') errors.push(requiredValue(`${field}.operator`))
  else errors.push(notSupported(`${field}.operator`, operator, ['Equal', 'Exists']))
  const effects = taintEffects(level)
  if (effect !== '' && !effects.includes(effect)) errors.push(notSupported(`${field}.effect`, effect, effects))
  return errors
}

function validateConstraint(
  constraint: DeviceConstraint,
  names: RequestNames,
  { canShareDevices }: Pick<DeviceGates, 'canShareDevices'>,
  field: string,
  level: ServedLevel,
): FieldError[] {
  const { matchAttribute, distinctAttribute, requests } = constraint
  return [
    ...checkReferences(requests, names, `${field}.requests`, level),
    ...(matchAttribute !== undefined
      ? checkFullAttributeName(matchAttribute, `${field}.matchAttribute`, level)
      : distinctAttribute !== undefined
        ? checkFullAttributeName(distinctAttribute, `${field}.distinctAttribute`, level)
        : canShareDevices
          ? [requiredValue(field, 'one of matchAttribute and distinctAttribute is required')]
          : [requiredValue(`${field}.matchAttribute`)]),
  ]
}

export function validateConfiguration(
  { opaque }: DeviceConfiguration,
  isStored: boolean,
  field: string,
  level: ServedLevel,
): FieldError[] {
  const at = `${field}.opaque`
  if (!opaque) return [requiredValue(at)]
  return [
    ...checkDriver(opaque.driver, `${at}.driver`, level),
    ...checkOpaque(opaque.parameters, isStored, opaqueMaxBytes, `${at}.parameters`),
  ]
}

/** A selector and where it stands. */
export interface PlacedSelector {
  readonly expression: string
  readonly field: string
}
/** All expressions of a claim that are worth compiling. */
export function expressionsOfSpec(
  { devices = {} }: ResourceClaimSpec,
  field: string,
  level: ServedLevel,
): PlacedSelector[] {
  return compiledOf(devices.requests, limits.requests, level).flatMap(({ exactly, firstAvailable = [] }, i) => {
    if (exactly && firstAvailable.length > 0 && level.has(eitherRequestIsChecked)) return []
    const at = `${field}.devices.requests[${i}]`
    const alternatives = compiledOf(firstAvailable, limits.alternatives, level)
    return [
      ...expressionsOf(exactly?.selectors, `${at}.exactly.selectors`, level),
      ...alternatives.flatMap((each, j) =>
        expressionsOf(each.selectors, `${at}.firstAvailable[${j}].selectors`, level),
      ),
    ]
  })
}
export const expressionsOf = (
  selectors: readonly DeviceSelector[] | undefined,
  field: string,
  level: ServedLevel,
): PlacedSelector[] =>
  compiledOf(selectors, limits.selectors, level).flatMap(({ cel }, i) =>
    cel && Buffer.byteLength(cel.expression) <= expressionMaxBytes
      ? [{ expression: cel.expression, field: `${field}[${i}].cel.expression` }]
      : [],
  )

/**
 * The items whose expressions are compiled. A list that is too long is refused in any case; where Kubernetes reads it nevertheless, this
 * only compiles as many as are allowed, since compiling is expensive.
 */
function compiledOf<T>(list: readonly T[] | undefined, max: number, level: ServedLevel): readonly T[] {
  const items = list ?? []
  return items.length > max && level.has(longListsAreNotRead) ? [] : items.slice(0, max)
}
