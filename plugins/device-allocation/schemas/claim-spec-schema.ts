import { AtomicList, embedded, field, type Static, Struct, Text, type TProperties } from 'orch/sdk'
import { type DeviceVersion, named } from './device-version.js'
import { requestParts } from './request-schema.js'

/** What a claim asks for, in a version. */
function claimSpecOf<R extends TProperties>(
  version: DeviceVersion,
  request: R,
  parts: ReturnType<typeof requestParts>,
) {
  const DeviceRequest = Struct(named(version, 'DeviceRequest'), request, {
    description: 'Devices that are asked for.',
  })
  const DeviceConstraint = Struct(named(version, 'DeviceConstraint'), parts.constraint, {
    description: 'What the devices of several requests must have in common.',
  })
  const DeviceClaimConfiguration = Struct(named(version, 'DeviceClaimConfiguration'), parts.claimConfiguration, {
    description: 'Configuration of the devices of some requests.',
  })
  const DeviceClaim = Struct(
    named(version, 'DeviceClaim'),
    {
      requests: embedded(1, AtomicList(DeviceRequest), 'The devices that are asked for, at most 32 requests.'),
      constraints: field(2, AtomicList(DeviceConstraint), 'What holds between devices, at most 32 constraints.'),
      config: field(3, AtomicList(DeviceClaimConfiguration), 'Configuration for drivers, at most 32.'),
    },
    { description: 'Devices that are asked for, and how they are set up.' },
  )
  return Struct(
    named(version, 'ResourceClaimSpec'),
    {
      devices: embedded(1, DeviceClaim, 'The devices that are asked for.'),
      controller: formerController(2),
    },
    { description: 'What a claim asks for. It cannot be changed.' },
  )
}

/** A field of 1.31, which had v1alpha3 alone; it has no effect. Later versions know it so that it survives being stored in one of them. */
export const formerController = (number: number) =>
  field(number, Text(), { description: 'A driver that allocates by itself.', until: '1.31' })

export const claimSpecIn = (version: 'v1' | 'v1beta2') => {
  const parts = requestParts(version)
  return claimSpecOf(version, parts.request, parts)
}
export const flatClaimSpecIn = (version: 'v1beta1' | 'v1alpha3') => {
  const parts = requestParts(version)
  return claimSpecOf(version, parts.flatRequest, parts)
}

export type ResourceClaimSpec = Static<ReturnType<typeof claimSpecIn>>
export type DeviceClaim = NonNullable<ResourceClaimSpec['devices']>
export type DeviceRequest = NonNullable<DeviceClaim['requests']>[number]
export type DeviceConstraint = NonNullable<DeviceClaim['constraints']>[number]
export type FlatClaimSpec = Static<ReturnType<typeof flatClaimSpecIn>>
export type FlatRequest = NonNullable<NonNullable<FlatClaimSpec['devices']>['requests']>[number]
