import { addAll, type FieldError, invalidValue, requiredValue, type Vendor } from 'orch/sdk'
import { validateNodeSelector } from 'orch/sdk/core'
import { limits } from '../limits.js'
import { byName, checkDriver, checkPoolName, checkSet } from '../schemas/rules.js'
import { checkNodeName, validateCounterSet, validateDevice } from './device-rules.js'
import type { Device, ResourceSlice, ResourceSliceSpec } from './schema.js'

export const validateSlice = ({ spec }: ResourceSlice, vendor: Vendor): FieldError[] =>
  validateSpec(spec, undefined, vendor)

/** The pool, the driver and the node of a slice are immutable. */
export function validateSliceUpdate({ spec }: ResourceSlice, stored: ResourceSlice, vendor: Vendor): FieldError[] {
  const kept = [
    ['spec.pool.name', spec.pool.name, stored.spec.pool.name],
    ['spec.driver', spec.driver, stored.spec.driver],
    ['spec.nodeName', spec.nodeName, stored.spec.nodeName],
  ] as const
  return [
    ...kept.flatMap(([field, sent, before]) =>
      sent === before ? [] : [invalidValue(field, sent ?? null, 'field is immutable')],
    ),
    ...validateSpec(spec, stored.spec, vendor),
  ]
}

function validateSpec(spec: ResourceSliceSpec, stored: ResourceSliceSpec | undefined, vendor: Vendor): FieldError[] {
  const { driver, pool, devices, sharedCounters, perDeviceNodeSelection = false } = spec
  const { level } = vendor
  const known = new Map((stored?.devices ?? []).map(device => [device.name, device]))
  const max = (devices ?? []).some(needsRoom) ? limits.devicesWithDetails : limits.devices
  return [
    ...checkDriver(driver, 'spec.driver', level),
    ...checkPoolName(pool.name, 'spec.pool.name'),
    ...(pool.resourceSliceCount > 0
      ? []
      : [invalidValue('spec.pool.resourceSliceCount', pool.resourceSliceCount, 'must be greater than zero')]),
    ...(pool.generation >= 0
      ? []
      : [invalidValue('spec.pool.generation', pool.generation, 'must be greater than or equal to zero')]),
    ...validateNodes(spec),
    ...(sharedCounters && devices
      ? [invalidValue('spec', '', 'only one of sharedCounters and devices is allowed')]
      : []),
    ...checkSet(
      devices,
      max,
      (device, field) => validateDevice(device, known.get(device.name), perDeviceNodeSelection, vendor, field),
      byName,
      'spec.devices',
      level,
    ),
    ...checkSet(sharedCounters, limits.counterSets, validateCounterSet, byName, 'spec.sharedCounters', level),
  ]
}

/** Whether the lower limit of devices with details applies. */
const needsRoom = ({ taints = [], consumesCounters = [], attributes = {} }: Device): boolean =>
  taints.length > 0 ||
  consumesCounters.length > 0 ||
  Object.values(attributes).some(({ bools, ints, strings, versions }) => bools ?? ints ?? strings ?? versions)

/** The nodes that can use the devices are specified in exactly one way. */
function validateNodes({ nodeName, nodeSelector, allNodes, perDeviceNodeSelection }: ResourceSliceSpec): FieldError[] {
  const errors: FieldError[] = []
  const said: string[] = []
  if (nodeName) {
    said.push('nodeName')
    addAll(errors, checkNodeName(nodeName, 'spec.nodeName'))
  } else if (nodeName === '')
    errors.push(invalidValue('spec.nodeName', '', 'must be either unset or set to a non-empty string'))
  if (nodeSelector) {
    said.push('nodeSelector')
    addAll(errors, validateNodeSelector(nodeSelector, 'spec.nodeSelector', { checksValues: true }))
    const terms = nodeSelector.nodeSelectorTerms ?? []
    // Selectors of several slices can be merged as long as they have no alternatives.
    if (terms.length !== 1)
      errors.push(
        invalidValue('spec.nodeSelector.nodeSelectorTerms', terms, 'must have exactly one node selector term'),
      )
  }
  for (const [name, value] of Object.entries({ allNodes, perDeviceNodeSelection })) {
    if (value) said.push(name)
    else if (value === false) errors.push(invalidValue(`spec.${name}`, false, 'must be either unset or set to true'))
  }
  const rule = 'exactly one of nodeName, nodeSelector, allNodes and perDeviceNodeSelection is required'
  if (said.length === 0) errors.push(requiredValue('spec', rule))
  if (said.length > 1) errors.push(invalidValue('spec', said.join(', '), rule))
  return errors
}
