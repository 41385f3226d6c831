import {
  AtomicList,
  Bool,
  field,
  Int64,
  inlined,
  kept,
  MapOf,
  Quantity,
  Raw,
  required,
  type Static,
  Struct,
  Text,
} from 'orch/sdk'
import { type DeviceVersion, named } from './device-version.js'
import { forDistinction, forSharing, forTolerations } from './gated-fields.js'

/** The schemas for selecting devices in claims and classes, in a version. */
export function requestParts(version: DeviceVersion) {
  const isFlat = version === 'v1beta1' || version === 'v1alpha3'
  const Selector = Struct(
    named(version, 'DeviceSelector'),
    {
      cel: kept(
        1,
        Struct(
          named(version, 'CELDeviceSelector'),
          {
            expression: required(
              1,
              Text(),
              'Evaluates to true for devices that match. The variable device has driver, attributes and capacity.',
            ),
          },
          { description: 'Chooses devices by an expression.' },
        ),
        'An expression in CEL. Required.',
      ),
    },
    { description: 'Chooses devices. Exactly one of its fields is set.' },
  )

  const Toleration = Struct(
    named(version, 'DeviceToleration'),
    {
      key: field(1, Text(), 'The key of the tolerated taints; all keys if empty.'),
      operator: field(2, Text(), {
        description: 'Exists or Equal, which compares the value. Equal by default.',
        default: 'Equal',
      }),
      value: field(3, Text(), 'The value of the taint; empty with Exists.'),
      effect: field(4, Text(), 'The tolerated effect; all effects if empty.'),
      tolerationSeconds: kept(5, Int64(), 'How long a NoExecute taint is tolerated. Forever if it is not set.'),
    },
    { description: 'Taints that a request tolerates.' },
  )

  const CapacityRequirements = Struct(
    named(version, 'CapacityRequirements'),
    { requests: field(1, MapOf(Quantity()), 'The requested amount of each capacity.') },
    { description: 'The requested share of a shareable device.' },
  )

  /** The common fields of requests. Their numbers differ between the structs that have them. */
  const wanted = (from: number) => ({
    selectors: field(from + 1, AtomicList(Selector), 'Further conditions that devices must meet, at most 32.'),
    allocationMode: field(from + 2, Text(), 'ExactCount, which is the default, or All devices that match.'),
    count: field(from + 3, Int64(), 'How many devices with ExactCount; one by default.'),
  })
  const className = 'The class of the devices, whose conditions and configuration apply, too.'
  const adminAccess = {
    description: 'Requests access to devices that others use, for monitoring. Requires a label on the namespace.',
    since: '1.31',
    gate: 'DRAAdminAccess',
  } as const
  const tolerated = forTolerations('Taints that devices may have.')
  const capacity = forSharing('The requested amounts of the capacities of a shared device.')

  const SubRequest = Struct(
    named(version, 'DeviceSubRequest'),
    {
      name: required(1, Text(), 'Name of the alternative, by which constraints and configuration refer to it.'),
      deviceClassName: required(2, Text(), className),
      ...wanted(2),
      // The older versions had a field in between.
      tolerations: field(isFlat ? 7 : 6, AtomicList(Toleration), tolerated),
      capacity: kept(isFlat ? 8 : 7, CapacityRequirements, capacity),
    },
    { description: 'One of several ways to fulfil a request.' },
  )
  const firstAvailable = {
    description: 'Alternatives in the order of preference, at most 8.',
    since: '1.33',
    gate: 'DRAPrioritizedList',
  } as const

  const OpaqueConfiguration = Struct(
    named(version, 'OpaqueDeviceConfiguration'),
    {
      driver: required(1, Text(), 'The driver that understands the parameters.'),
      parameters: required(2, Raw('runtime.RawExtension'), {
        description: 'Parameters for the driver: an object of at most 10 KiB.',
        nullable: true,
      }),
    },
    { description: 'Configuration for one driver.' },
  )
  const Configuration = Struct(named(version, 'DeviceConfiguration'), {
    opaque: kept(1, OpaqueConfiguration, 'Parameters for one driver. Required.'),
  })

  return {
    Selector,
    Toleration,
    CapacityRequirements,
    SubRequest,
    Configuration,
    /** The fields of a request in v1 and v1beta2: alternatives, or exactly one kind of device. */
    request: {
      name: required(1, Text(), 'Name of the request, by which constraints, configuration and results refer to it.'),
      exactly: kept(
        2,
        Struct(
          named(version, 'ExactDeviceRequest'),
          {
            deviceClassName: required(1, Text(), className),
            ...wanted(1),
            adminAccess: kept(5, Bool(), adminAccess),
            tolerations: field(6, AtomicList(Toleration), tolerated),
            capacity: kept(7, CapacityRequirements, capacity),
          },
          { description: 'One way to fulfil a request.' },
        ),
        'The requested devices, if there are no alternatives.',
      ),
      firstAvailable: field(3, AtomicList(SubRequest), firstAvailable),
    },
    /** Older versions have the fields of the one kind of device in the request itself. */
    flatRequest: {
      name: required(1, Text(), 'Name of the request, by which constraints, configuration and results refer to it.'),
      deviceClassName: field(2, Text(), className),
      ...wanted(2),
      adminAccess: kept(6, Bool(), adminAccess),
      firstAvailable: field(7, AtomicList(SubRequest), firstAvailable),
      tolerations: field(8, AtomicList(Toleration), tolerated),
      capacity: kept(9, CapacityRequirements, capacity),
    },
    constraint: {
      requests: field(1, AtomicList(Text()), 'The requests that it applies to; all if empty.'),
      matchAttribute: kept(2, Text(), 'An attribute, with its domain, that must be the same for all devices.'),
      distinctAttribute: kept(
        3,
        Text(),
        forDistinction('An attribute, with its domain, that must differ between all devices.'),
      ),
    },
    claimConfiguration: {
      requests: field(1, AtomicList(Text()), 'The requests that it is for; all if empty.'),
      ...inlined(2, Configuration),
    },
    classConfiguration: { ...inlined(1, Configuration) },
    allocationConfiguration: {
      source: required(1, Text(), 'Where it comes from: FromClass or FromClaim.'),
      requests: field(2, AtomicList(Text()), 'The requests that it is for; all if empty.'),
      ...inlined(3, Configuration),
    },
  }
}

type Parts = ReturnType<typeof requestParts>
export type DeviceSelector = Static<Parts['Selector']>
export type DeviceToleration = Static<Parts['Toleration']>
export type DeviceSubRequest = Static<Parts['SubRequest']>
export type DeviceConfiguration = Static<Parts['Configuration']>
export type ExactDeviceRequest = Static<Parts['request']['exactly']>
