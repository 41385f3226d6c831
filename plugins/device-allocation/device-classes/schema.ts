import { AtomicList, field, Kind, kept, required, type Static, Struct, Text } from 'orch/sdk'
import { NodeSelector } from 'orch/sdk/core'
import { type DeviceVersion, named } from '../schemas/device-version.js'
import { requestParts } from '../schemas/request-schema.js'

/** All versions have the same fields under their own type names. */
export function deviceClassIn(version: DeviceVersion) {
  const { Selector, classConfiguration } = requestParts(version)
  const DeviceClassConfiguration = Struct(named(version, 'DeviceClassConfiguration'), classConfiguration, {
    description: 'Configuration of all devices of a class.',
  })
  const DeviceClassSpec = Struct(
    named(version, 'DeviceClassSpec'),
    {
      selectors: field(1, AtomicList(Selector), 'Conditions that all devices of the class meet, at most 32.'),
      config: field(2, AtomicList(DeviceClassConfiguration), 'Configuration for drivers, at most 32.'),
      suitableNodes: kept(3, NodeSelector, { description: 'Nodes that can be used.', until: '1.31' }),
      extendedResourceName: kept(4, Text(), {
        description: 'Pods that ask for this extended resource get devices of the class.',
        since: '1.34',
        gate: 'DRAExtendedResource',
      }),
    },
    { description: 'What devices of a class have in common.' },
  )
  return Kind(
    named(version, 'DeviceClass'),
    { spec: required(2, DeviceClassSpec, 'Which devices are in the class. Every change counts as a generation.') },
    { description: 'A kind of devices that claims can ask for by its name.' },
  )
}
export const DeviceClass = deviceClassIn('v1')
export type DeviceClass = Static<typeof DeviceClass>
