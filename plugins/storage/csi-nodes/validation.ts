import { isDeepStrictEqual } from 'node:util'
import { duplicate, type FieldError, invalidValue, requiredValue } from 'orch/sdk'
import { validateCsiDriverName } from 'orch/sdk/core'
import { isQualifiedName, repeats } from 'orch/sdk/validation'
import type { CSINode, CSINodeDriver } from './schema.js'

const maxNodeIdBytes = 256

/** How drivers of nodes are validated. */
export interface DriverRules {
  readonly missingNamesAreInvalid: boolean
  /** Whether the number of volumes that a driver can attach may change. */
  readonly countChanges: boolean
  /** The path of errors about a changed driver. */
  readonly changedAt: string
  readonly checkedOnce?: boolean
}
const oldestRules: DriverRules = { missingNamesAreInvalid: true, countChanges: false, changedAt: 'CSINodeDriver' }

export function validateCsiNode({ spec }: CSINode, rules: DriverRules = oldestRules): FieldError[] {
  const drivers = spec.drivers ?? []
  const repeated = repeats(drivers.map(({ name }) => name))
  return drivers.flatMap((driver, i) => {
    const at = `spec.drivers[${i}]`
    return [
      ...validateCsiDriverName(driver.name, `${at}.name`, rules.missingNamesAreInvalid),
      ...checkNodeId(driver.nodeID, `${at}.nodeID`),
      ...checkCount(driver.allocatable?.count, `${at}.allocatable.count`),
      ...(repeated[i] ? [duplicate(`${at}.name`, driver.name)] : []),
      ...checkTopologyKeys(driver, at),
    ]
  })
}

function checkNodeId(id: string, field: string): FieldError[] {
  if (id === '') return [requiredValue(field)]
  return Buffer.byteLength(id) > maxNodeIdBytes
    ? [invalidValue(field, id, `must be ${maxNodeIdBytes} characters or less`)]
    : []
}

const checkCount = (count: number | undefined, field: string): FieldError[] =>
  count !== undefined && count < 0 ? [invalidValue(field, count, 'must be greater than or equal to 0')] : []

/** Errors of keys are reported at the path of their driver, as by the reference. */
function checkTopologyKeys({ topologyKeys }: CSINodeDriver, field: string): FieldError[] {
  const keys = topologyKeys ?? []
  const isRepeat = repeats(keys)
  return keys.flatMap((key, i) => [
    ...(key === '' ? [requiredValue(field)] : []),
    ...(isRepeat[i] ? [duplicate(field, key)] : []),
    ...isQualifiedName(key).map(text => invalidValue(field, keys, text)),
  ])
}

/** A driver may be added or removed, but not changed. Errors of the object are reported twice, as by the reference. */
export const validateCsiNodeUpdate = (
  sent: CSINode,
  stored: CSINode,
  rules: DriverRules = oldestRules,
): FieldError[] => [
  ...validateCsiNode(sent, rules),
  ...(rules.checkedOnce ? [] : validateCsiNode(sent, rules)),
  ...(sent.spec.drivers ?? [])
    .filter(driver => {
      const before = (stored.spec.drivers ?? []).find(({ name }) => name === driver.name)
      return before !== undefined && !isDeepStrictEqual(fixedPart(before, rules), fixedPart(driver, rules))
    })
    .map(driver => invalidValue(rules.changedAt, driver, 'field is immutable')),
]

/** A missing list of keys equals an empty one. */
const fixedPart = ({ allocatable, topologyKeys, ...rest }: CSINodeDriver, { countChanges }: DriverRules) => {
  const driver = { ...rest, topologyKeys: topologyKeys ?? [] }
  return countChanges ? driver : { ...driver, allocatable }
}
