import {
  AtomicList,
  Condition,
  embedded,
  field,
  KeyedList,
  Kind,
  kept,
  required,
  type Static,
  Struct,
  Text,
} from 'orch/sdk'
import { taintIn } from '../resource-slices/schema.js'
import { named } from '../schemas/device-version.js'
import { requestParts } from '../schemas/request-schema.js'

export function taintRuleIn(version: 'v1beta2' | 'v1alpha3') {
  const DeviceTaintSelector = Struct(
    named(version, 'DeviceTaintSelector'),
    {
      driver: kept(2, Text(), 'The driver of the devices.'),
      pool: kept(3, Text(), 'The pool that the devices are in.'),
      device: kept(4, Text(), 'The name of the device.'),
      // Taken back before v1beta2: they have no effect.
      deviceClassName: kept(1, Text(), { description: 'The class of the devices.', until: '1.34' }),
      selectors: field(5, AtomicList(requestParts(version).Selector), {
        description: 'Further conditions.',
        until: '1.34',
      }),
    },
    { description: 'Devices that all fields that are set are true for.' },
  )
  const DeviceTaintRuleSpec = Struct(
    named(version, 'DeviceTaintRuleSpec'),
    {
      deviceSelector: kept(1, DeviceTaintSelector, 'The devices that get the taint. None if it is not set.'),
      taint: required(2, taintIn(version), 'The taint.'),
    },
    { description: 'A taint, and the devices that get it.' },
  )
  const DeviceTaintRuleStatus = Struct(
    named(version, 'DeviceTaintRuleStatus'),
    {
      conditions: field(1, KeyedList(Condition, 'type'), 'How far eviction has come, at most 8 conditions.'),
    },
    { description: 'What is known about a rule.' },
  )
  return Kind(
    named(version, 'DeviceTaintRule'),
    {
      spec: required(2, DeviceTaintRuleSpec, 'The taint, and the devices that get it.'),
      status: embedded(3, DeviceTaintRuleStatus, { description: 'What is known about the rule.', since: '1.35' }),
    },
    { description: 'Adds a taint to devices that an administrator chooses.' },
  )
}
export const DeviceTaintRule = taintRuleIn('v1beta2')
export type DeviceTaintRule = Static<typeof DeviceTaintRule>
