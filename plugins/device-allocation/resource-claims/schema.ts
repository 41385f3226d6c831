import {
  AtomicList,
  Bool,
  Condition,
  embedded,
  field,
  KeyedList,
  Kind,
  kept,
  MapList,
  MapOf,
  Quantity,
  Raw,
  required,
  type Static,
  Struct,
  Text,
  Time,
  type TSchema,
} from 'orch/sdk'
import { NodeSelector } from 'orch/sdk/core'
import { claimSpecIn, flatClaimSpecIn, formerController } from '../schemas/claim-spec-schema.js'
import { type DeviceVersion, named } from '../schemas/device-version.js'
import { forAllocationTime, forBinding, forSharing } from '../schemas/gated-fields.js'
import { requestParts } from '../schemas/request-schema.js'

/** The identity of an allocated device, in fields numbered from `from`. */
const deviceAt = (from: number) => ({
  driver: required(from, Text(), 'The driver of the device.'),
  pool: required(from + 1, Text(), 'The pool that the device is in.'),
  device: required(from + 2, Text(), 'The name of the device in its pool.'),
})
const shareId = forSharing('Identifies one share of a shared device: a UUID.')

/** The status of a claim, in a version. */
function statusIn(version: DeviceVersion) {
  const { Toleration, allocationConfiguration } = requestParts(version)
  const AllocatedDevice = Struct(
    named(version, 'DeviceRequestAllocationResult'),
    {
      request: required(1, Text(), 'The request, or the request and the alternative with a slash between them.'),
      ...deviceAt(2),
      adminAccess: kept(5, Bool(), {
        description: 'Whether it was allocated for monitoring, also while others use it.',
        since: '1.32',
        gate: 'DRAAdminAccess',
      }),
      tolerations: field(6, AtomicList(Toleration), {
        description: 'The tolerations of the request at that time.',
        since: '1.33',
      }),
      bindingConditions: field(
        7,
        AtomicList(Text()),
        forBinding('Conditions that must be true before the Pod is bound to its node.'),
      ),
      bindingFailureConditions: field(
        8,
        AtomicList(Text()),
        forBinding('Conditions of which none may be true: then the devices are chosen again.'),
      ),
      shareID: kept(9, Text(), shareId),
      consumedCapacity: field(
        10,
        MapOf(Quantity()),
        forSharing('How much of the capacities of a shared device was allocated.'),
      ),
    },
    { description: 'One device that was allocated for a request.' },
  )
  const Configuration = Struct(named(version, 'DeviceAllocationConfiguration'), allocationConfiguration, {
    description: 'Configuration of allocated devices.',
  })
  const DeviceAllocationResult = Struct(
    named(version, 'DeviceAllocationResult'),
    {
      results: field(1, AtomicList(AllocatedDevice), 'The devices.'),
      config: field(2, AtomicList(Configuration), 'Configuration of class and claim, in this order.'),
    },
    { description: 'Devices that were allocated.' },
  )
  const AllocationResult = Struct(
    named(version, 'AllocationResult'),
    {
      devices: embedded(1, DeviceAllocationResult, 'The devices that were allocated.'),
      nodeSelector: kept(3, NodeSelector, 'The nodes on which the devices are; all nodes if it is not set.'),
      controller: formerController(4),
      allocationTimestamp: kept(5, Time(), forAllocationTime('When it was allocated.')),
    },
    { description: 'What was allocated for a claim.' },
  )
  const ConsumerReference = Struct(
    named(version, 'ResourceClaimConsumerReference'),
    {
      apiGroup: field(1, Text(), 'Group of the object; empty for the core group.'),
      resource: required(3, Text(), 'Type of the object, such as pods.'),
      name: required(4, Text(), 'Name of the object.'),
      uid: required(5, Text(), 'UID of the object.'),
    },
    { description: 'An object that may use a claim.' },
  )
  const NetworkDeviceData = Struct(
    named(version, 'NetworkDeviceData'),
    {
      interfaceName: field(1, Text(), 'The name of the interface.'),
      ips: field(2, AtomicList(Text()), 'Its addresses, each with the length of its prefix.'),
      hardwareAddress: field(3, Text(), 'Its hardware address.'),
    },
    { description: 'Data of a network interface, reported by its driver.' },
  )
  const AllocatedDeviceStatus = Struct(
    named(version, 'AllocatedDeviceStatus'),
    {
      ...deviceAt(1),
      conditions: field(4, MapList(Condition, 'type'), 'The state of the device, at most 8 conditions.'),
      data: kept(5, Raw('runtime.RawExtension'), 'Data of the driver: an object of at most 10 KiB.'),
      networkData: kept(6, NetworkDeviceData, 'Data of a network interface.'),
      shareID: kept(7, Text(), shareId),
    },
    { description: 'Status of an allocated device, reported by its driver.' },
  )
  return Struct(
    named(version, 'ResourceClaimStatus'),
    {
      allocation: kept(1, AllocationResult, 'The allocation. It can be removed, but not changed.'),
      reservedFor: field(2, KeyedList(ConsumerReference, 'uid'), 'The objects that may use the claim, at most 256.'),
      deallocationRequested: field(3, Bool(), {
        description: 'Whether the devices should be deallocated.',
        until: '1.31',
      }),
      devices: field(4, MapList(AllocatedDeviceStatus, 'driver', 'device', 'pool'), {
        description: 'Status of the allocated devices, reported by their drivers.',
        since: '1.32',
        gate: 'DRAResourceClaimDeviceStatus',
        revised: [{ since: '1.34', additive: true, to: { listMapKeys: ['driver', 'device', 'pool', 'shareID'] } }],
      }),
    },
    { description: 'State of a claim.' },
  )
}

function claimOf<S extends TSchema>(version: DeviceVersion, spec: S) {
  return Kind(
    named(version, 'ResourceClaim'),
    {
      spec: required(2, spec, 'The requested devices. It cannot be changed.'),
      status: embedded(3, statusIn(version), 'The allocated devices and their consumers.'),
    },
    { description: 'Devices that Pods can use: those requested, and those allocated.' },
  )
}

export const claimIn = (version: 'v1' | 'v1beta2') => claimOf(version, claimSpecIn(version))
export const flatClaimIn = (version: 'v1beta1' | 'v1alpha3') => claimOf(version, flatClaimSpecIn(version))
export const ResourceClaim = claimIn('v1')

export type ResourceClaim = Static<typeof ResourceClaim>
export type ResourceClaimStatus = NonNullable<ResourceClaim['status']>
export type AllocationResult = NonNullable<ResourceClaimStatus['allocation']>
export type AllocatedDevice = NonNullable<NonNullable<AllocationResult['devices']>['results']>[number]
export type AllocatedDeviceStatus = NonNullable<ResourceClaimStatus['devices']>[number]
export type ConsumerReference = NonNullable<ResourceClaimStatus['reservedFor']>[number]
