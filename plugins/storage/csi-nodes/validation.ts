import { isDeepStrictEqual } from 'node:util'
import { duplicate, type FieldError, invalidValue, isQualifiedName, repeats, requiredValue } from 'orch/sdk'
import { validateCsiDriverName } from 'orch/sdk/core'
import type { CSINode, CSINodeDriver } from './schema.js'

const maxNodeIdBytes = 256

export function validateCsiNode({ spec }: CSINode): FieldError[] {
  const drivers = spec.drivers ?? []
  return drivers.flatMap((driver, i) => {
    const at = `spec.drivers[${i}]`
    const isRepeated = drivers.findIndex(({ name }) => name === driver.name) < i
    return [
      ...validateCsiDriverName(driver.name, `${at}.name`),
      ...checkNodeId(driver.nodeID, `${at}.nodeID`),
      ...checkCount(driver.allocatable?.count, `${at}.allocatable.count`),
      ...(isRepeated ? [duplicate(`${at}.name`, driver.name)] : []),
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

/** Keys are reported at the driver they belong to. */
function checkTopologyKeys({ topologyKeys }: CSINodeDriver, field: string): FieldError[] {
  const keys = topologyKeys ?? []
  const isRepeat = repeats(keys)
  return keys.flatMap((key, i) => [
    ...(key === '' ? [requiredValue(field)] : []),
    ...(isRepeat[i] ? [duplicate(field, key)] : []),
    ...isQualifiedName(key).map(text => invalidValue(field, keys, text)),
  ])
}

/** A driver may come and go; what it said about the node stays. Clients see the errors of the object twice, as from the reference. */
export const validateCsiNodeUpdate = (sent: CSINode, stored: CSINode): FieldError[] => [
  ...validateCsiNode(sent),
  ...validateCsiNode(sent),
  ...(sent.spec.drivers ?? [])
    .filter(driver => {
      const before = (stored.spec.drivers ?? []).find(({ name }) => name === driver.name)
      return before !== undefined && !isDeepStrictEqual(before, driver)
    })
    .map(driver => invalidValue('CSINodeDriver', driver, 'field is immutable')),
]
