import type { FeatureGate } from 'orch/sdk'
import { podGates } from 'orch/sdk/core'

/** These gates also control fields of Pods. */
const { DRAExtendedResource, DRANodeAllocatableResources, DynamicResourceAllocation } = podGates

/** Their history is that of the vendor. */
export const allocationGates = {
  DynamicResourceAllocation,
  DRAAdminAccess: { stage: 'stable', description: 'Claims of marked namespaces may get devices that others use.' },
  DRAPrioritizedList: { stage: 'stable', description: 'A request may have alternatives.' },
  DRAResourceClaimDeviceStatus: { stage: 'beta', description: 'Drivers may report the status of allocated devices.' },
  DRAResourceClaimGranularStatusAuthorization: {
    stage: 'beta',
    description: 'Parts of the status of a claim need permissions of their own.',
  },
  DRADeviceTaints: { stage: 'beta', description: 'Devices have taints, and requests tolerations.' },
  DRADeviceTaintRules: { stage: 'beta', description: 'Administrators may taint devices by rules.' },
  DRAPartitionableDevices: { stage: 'beta', description: 'Devices of a pool may share counters.' },
  DRAConsumableCapacity: { stage: 'beta', description: 'Claims may share a device, each with a part of its capacity.' },
  DRADeviceBindingConditions: { stage: 'beta', description: 'A Pod is bound only when its devices are prepared.' },
  DRAExtendedResource,
  DRAListTypeAttributes: { stage: 'alpha', description: 'Attributes of devices may have several values.' },
  DRANodeAllocatableResources,
  DRAResourcePoolStatus: { stage: 'alpha', description: 'The state of pools can be queried.' },
} as const satisfies Readonly<Record<string, FeatureGate>>

/** The gates that validation and permissions depend on. */
export const deviceGates = (isEnabled: (gate: keyof typeof allocationGates) => boolean) => ({
  canShareDevices: isEnabled('DRAConsumableCapacity'),
  checksStatusByPart: isEnabled('DRAResourceClaimGranularStatusAuthorization'),
  hasDeviceStatus: isEnabled('DRAResourceClaimDeviceStatus'),
})
export type DeviceGates = ReturnType<typeof deviceGates>
