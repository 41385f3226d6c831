import type { ApiObject, Vendor } from 'orch/sdk'
import { leaseCollection, recordEvents } from 'orch/sdk/controllers'

/** Every vendor-derived name of this plugin, and the collections that its loops watch. */
export const simulationNames = (vendor: Vendor) => ({
  /** The RBAC rule of loops that record events. */
  recordEvents: recordEvents(vendor),
  leases: leaseCollection(vendor),
  metricsGroup: vendor.group('metrics'),
  leaseNamespace: vendor.profile.namespaces.nodeLease,
  classes: { group: vendor.group('storage'), version: 'v1', resource: 'storageclasses' } as const,
  deviceGroup: vendor.group('resource'),
  deviceClaims: { group: vendor.group('resource'), version: 'v1', resource: 'resourceclaims' } as const,
  deviceClasses: { group: vendor.group('resource'), version: 'v1', resource: 'deviceclasses' } as const,
  deviceSlices: { group: vendor.group('resource'), version: 'v1', resource: 'resourceslices' } as const,
  /** Keeps an allocated claim while it is in use. */
  deviceProtection: vendor.qualify('delete-protection', 'resource'),
  /** Set to `true` on a node: this plugin simulates the machine. Users may create such nodes, too. */
  nodeAnnotation: vendor.qualify('node', 'simulation'),
  /** On a Pod: how it behaves, as JSON. Takes precedence over all rules. */
  behaviorAnnotation: vendor.qualify('behavior', 'simulation'),
  labels: {
    hostname: vendor.qualify('hostname'),
    os: vendor.qualify('os'),
    arch: vendor.qualify('arch'),
    zone: vendor.qualify('zone', 'topology'),
    region: vendor.qualify('region', 'topology'),
  },
  nodeTaint: (name: string) => vendor.qualify(name, 'node'),
  /** The provisioner of the storage class that claims without a class get. */
  provisioner: vendor.qualify('volumes', 'simulation'),
  /** On a claim: the provisioner of its volume, and the selected node. */
  provisionerAnnotation: vendor.qualify('storage-provisioner', 'volume'),
  selectedNode: vendor.qualify('selected-node', 'volume'),
  bindCompleted: vendor.qualify('bind-completed', 'pv'),
  provisionedBy: vendor.qualify('provisioned-by', 'pv'),
  defaultClassAnnotation: vendor.qualify('is-default-class', 'storageclass'),
  /** The name and version that simulated node agents report. */
  agentName: vendor.profile.nodeAgent,
  agentVersion: vendor.profile.version.gitVersion,
})
export type SimulationNames = ReturnType<typeof simulationNames>

export const nodeCollection = { group: '', version: 'v1', resource: 'nodes' } as const
export const claimCollection = { group: '', version: 'v1', resource: 'persistentvolumeclaims' } as const
export const volumeCollection = { group: '', version: 'v1', resource: 'persistentvolumes' } as const

/** Whether there is no machine behind this node. */
export const isSimulated = ({ metadata }: ApiObject, { nodeAnnotation }: SimulationNames): boolean =>
  metadata.annotations?.[nodeAnnotation] === 'true'
