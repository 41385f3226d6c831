import {
  AtomicList,
  Bool,
  embedded,
  field,
  Int64,
  Kind,
  kept,
  MapOf,
  Quantity,
  required,
  type Static,
  Struct,
  Text,
  Time,
  type TSchema,
} from 'orch/sdk'
import { NodeSelector } from 'orch/sdk/core'
import { type DeviceVersion, named } from '../schemas/device-version.js'
import { forBinding, forPartitions, forSharing, forTaints } from '../schemas/gated-fields.js'

const listed = (description: string) => ({ description, since: '1.36', gate: 'DRAListTypeAttributes' }) as const

const leftOut = <S extends TSchema>(schema: S): S => ({ ...schema, presence: 'drop' })

/** A taint of a device, in a version. */
export const taintIn = (version: DeviceVersion) =>
  Struct(
    named(version, 'DeviceTaint'),
    {
      key: required(1, Text(), 'The key of the taint.'),
      value: field(2, Text(), 'The value of the taint.'),
      effect: required(3, Text(), 'What it does to claims that do not tolerate it: None, NoSchedule or NoExecute.'),
      timeAdded: kept(4, Time(), 'When it was added; now by default.'),
    },
    { description: 'Keeps claims that do not tolerate it away from a device.' },
  )
export type DeviceTaint = Static<ReturnType<typeof taintIn>>

/** The parts of a device, in a version. */
function deviceParts(version: DeviceVersion) {
  const Attribute = Struct(
    named(version, 'DeviceAttribute'),
    {
      int: kept(2, Int64(), 'A number.'),
      bool: kept(3, Bool(), 'True or false.'),
      string: kept(4, Text(), 'A text of at most 64 bytes.'),
      version: kept(5, Text(), 'A semantic version of at most 64 bytes.'),
      ints: kept(6, AtomicList(Int64()), listed('Several numbers.')),
      bools: kept(7, AtomicList(Bool()), listed('Several truth values.')),
      strings: kept(8, AtomicList(Text()), listed('Several texts.')),
      versions: kept(9, AtomicList(Text()), listed('Several semantic versions.')),
    },
    { description: 'A property of a device. Exactly one of its fields is set.' },
  )
  const PolicyRange = Struct(
    named(version, 'CapacityRequestPolicyRange'),
    {
      min: kept(1, Quantity(), {
        description: 'The minimum that can be requested. Required.',
        revised: [{ since: '1.34', to: { isRequired: true } }],
      }),
      max: kept(2, Quantity(), 'The maximum that can be requested.'),
      step: kept(3, Quantity(), 'The step between amounts that can be allocated.'),
    },
    { description: 'A range of amounts.' },
  )
  const RequestPolicy = Struct(
    named(version, 'CapacityRequestPolicy'),
    {
      default: embedded(1, Quantity(), {
        description: 'The amount for requests that do not specify one.',
        nullable: true,
      }),
      validValues: field(
        3,
        AtomicList(Quantity()),
        'The amounts that can be allocated, in ascending order, at most 10.',
      ),
      validRange: kept(4, PolicyRange, 'The range of amounts that can be allocated.'),
    },
    { description: 'How much of a capacity one share of the device can have.' },
  )
  const Capacity = Struct(
    named(version, 'DeviceCapacity'),
    {
      value: required(1, Quantity(), 'How much of it there is.'),
      requestPolicy: kept(2, RequestPolicy, forSharing('How the capacity is divided among shares of the device.')),
    },
    { description: 'Something that a device has an amount of.' },
  )
  const Counter = Struct(
    named(version, 'Counter'),
    { value: required(1, Quantity(), 'How much of it there is.') },
    { description: 'Something that devices share.' },
  )
  // Required, and yet omitted from output when empty.
  const counters = leftOut(required(2, MapOf(Counter), 'The counters by their names.'))
  const CounterSet = Struct(
    named(version, 'CounterSet'),
    { name: required(1, Text(), 'Name of the set.'), counters },
    { description: 'Counters that devices of a pool share.' },
  )
  const Consumption = Struct(
    named(version, 'DeviceCounterConsumption'),
    { counterSet: required(1, Text(), 'Name of the set.'), counters },
    { description: 'How much of shared counters a device uses.' },
  )
  const AllocatableMapping = Struct(
    named(version, 'NodeAllocatableResourceMapping'),
    {
      capacityKey: kept(1, Text(), 'The capacity of the device that counts.'),
      allocationMultiplier: kept(2, Quantity(), 'What the amount is multiplied with; 1 by default.'),
    },
    { description: 'How much of a resource of the node a device takes.' },
  )
  const Taint = taintIn(version)
  /** What a device has beside its name, numbered from `from`. */
  const details = <C extends TSchema>(from: number, capacity: C) => ({
    attributes: field(from, MapOf(Attribute), 'Properties of the device, by which it can be chosen.'),
    capacity: field(from + 1, MapOf(capacity), 'What the device has an amount of.'),
    consumesCounters: field(
      from + 2,
      AtomicList(Consumption),
      forPartitions('What the device takes from counters that it shares with others, at most 2 sets.'),
    ),
    nodeName: kept(from + 3, Text(), forPartitions('The node that the device is on.')),
    nodeSelector: kept(from + 4, NodeSelector, forPartitions('The nodes that can use the device.')),
    allNodes: kept(from + 5, Bool(), forPartitions('Whether all nodes can use the device.')),
    taints: field(from + 6, AtomicList(Taint), forTaints('Keep claims away that do not tolerate them, at most 16.')),
    bindsToNode: kept(from + 7, Bool(), forBinding('Whether the claim belongs to one node once it is allocated.')),
    bindingConditions: field(
      from + 8,
      AtomicList(Text()),
      forBinding('Conditions that must be true before the Pod is bound to its node, at most 4.'),
    ),
    bindingFailureConditions: field(
      from + 9,
      AtomicList(Text()),
      forBinding('Conditions of which none may be true: then devices are chosen again. At most 4.'),
    ),
    allowMultipleAllocations: kept(from + 10, Bool(), forSharing('Whether several claims can share the device.')),
    nodeAllocatableResourceMappings: field(from + 11, MapOf(AllocatableMapping), {
      description: 'What the device takes of resources of its node, such as cpu.',
      since: '1.36',
      gate: 'DRANodeAllocatableResources',
    }),
  })
  return { Capacity, CounterSet, details }
}

type DeviceParts = ReturnType<typeof deviceParts>
const aboutDevice = { description: 'A device of a pool.' }

function sliceOf<D extends TSchema, N extends TSchema, A extends TSchema>(
  version: DeviceVersion,
  Device: D,
  { CounterSet }: DeviceParts,
  nodeName: N,
  allNodes: A,
) {
  const ResourcePool = Struct(
    named(version, 'ResourcePool'),
    {
      name: required(1, Text(), 'Name of the pool: one or more DNS subdomains with slashes between them.'),
      generation: required(2, Int64(), 'Counts the changes of the pool: slices of older generations do not count.'),
      resourceSliceCount: required(3, Int64(), 'How many slices of this generation the pool has.'),
    },
    { description: 'The pool that a slice belongs to.' },
  )
  const ResourceSliceSpec = Struct(
    named(version, 'ResourceSliceSpec'),
    {
      driver: required(1, Text(), 'The driver of the devices. It cannot be changed.'),
      pool: required(2, ResourcePool, 'The pool that the devices are in.'),
      nodeName,
      nodeSelector: kept(4, NodeSelector, 'The nodes that can use the devices: exactly one term.'),
      allNodes,
      devices: field(6, AtomicList(Device), 'The devices, at most 128; with taints or counters at most 64.'),
      perDeviceNodeSelection: kept(7, Bool(), forPartitions('Whether each device specifies its own nodes.')),
      sharedCounters: field(
        8,
        AtomicList(CounterSet),
        forPartitions('Counters that devices of the pool share, at most 8 sets. A slice has either these or devices.'),
      ),
    },
    { description: 'Devices of a pool, and the nodes that can use them.' },
  )
  return Kind(
    named(version, 'ResourceSlice'),
    { spec: required(2, ResourceSliceSpec, 'The devices. Every change counts as a generation.') },
    { description: 'Devices that a driver publishes.' },
  )
}
const onNode = 'The node that has the devices. It cannot be changed.'
const everywhere = 'Whether all nodes can use the devices.'

export function sliceIn(version: 'v1' | 'v1beta2') {
  const parts = deviceParts(version)
  const Device = Struct(
    named(version, 'Device'),
    { name: required(1, Text(), 'Name of the device in its pool.'), ...parts.details(2, parts.Capacity) },
    aboutDevice,
  )
  return sliceOf(version, Device, parts, kept(3, Text(), onNode), kept(5, Bool(), everywhere))
}

/** Older versions have everything but the name in a struct of its own, and the oldest only amounts as capacities. */
export function nestedSliceIn(version: 'v1beta1' | 'v1alpha3') {
  const parts = deviceParts(version)
  const capacity = version === 'v1beta1' ? parts.Capacity : (Quantity() as unknown as DeviceParts['Capacity'])
  const BasicDevice = Struct(named(version, 'BasicDevice'), parts.details(1, capacity), aboutDevice)
  const Device = Struct(
    named(version, 'Device'),
    {
      name: required(1, Text(), 'Name of the device in its pool.'),
      basic: kept(2, BasicDevice, 'Everything else about the device.'),
    },
    aboutDevice,
  )
  return sliceOf(version, Device, parts, field(3, Text(), onNode), field(5, Bool(), everywhere))
}
export const ResourceSlice = sliceIn('v1')

export type ResourceSlice = Static<typeof ResourceSlice>
export type ResourceSliceSpec = ResourceSlice['spec']
export type Device = NonNullable<ResourceSliceSpec['devices']>[number]
export type DeviceAttribute = NonNullable<Device['attributes']>[string]
export type DeviceCapacity = NonNullable<Device['capacity']>[string]
export type RequestPolicy = NonNullable<DeviceCapacity['requestPolicy']>
export type CounterSet = NonNullable<ResourceSliceSpec['sharedCounters']>[number]
export type CounterConsumption = NonNullable<Device['consumesCounters']>[number]
export type AllocatableMapping = NonNullable<Device['nodeAllocatableResourceMappings']>[string]
export type NestedSlice = Static<ReturnType<typeof nestedSliceIn>>
export type NestedDevice = NonNullable<NestedSlice['spec']['devices']>[number]
