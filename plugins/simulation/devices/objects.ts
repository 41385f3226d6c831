import type { ApiObject } from 'orch/sdk'
import type { NodeSelector, Taint, Toleration } from 'orch/sdk/core'

/** The fields of slices, classes and claims that the scheduler reads. */

export interface AttributeLike {
  readonly int?: number
  readonly bool?: boolean
  readonly string?: string
  readonly version?: string
}
export interface DeviceLike {
  readonly name: string
  readonly attributes?: Readonly<Record<string, AttributeLike>>
  readonly capacity?: Readonly<Record<string, { readonly value: string }>>
  readonly taints?: readonly Taint[]
  readonly nodeName?: string
  readonly nodeSelector?: NodeSelector
  readonly allNodes?: boolean
  readonly consumesCounters?: readonly unknown[]
  readonly allowMultipleAllocations?: boolean
}
/** Selects the nodes of devices: one, some, or all. */
export type DevicePlace = Pick<DeviceLike, 'nodeName' | 'nodeSelector' | 'allNodes'>
export interface SliceLike extends ApiObject {
  spec: DevicePlace & {
    readonly driver: string
    readonly pool: { readonly name: string; readonly generation: number; readonly resourceSliceCount: number }
    readonly perDeviceNodeSelection?: boolean
    readonly devices?: readonly DeviceLike[]
  }
}

interface SelectorLike {
  readonly cel?: { readonly expression: string }
}
interface ConfigurationLike {
  readonly requests?: readonly string[]
  readonly opaque?: unknown
}
export interface DeviceClassLike extends ApiObject {
  spec?: { readonly selectors?: readonly SelectorLike[]; readonly config?: readonly ConfigurationLike[] }
}
export interface WantedDevices {
  readonly deviceClassName: string
  readonly selectors?: readonly SelectorLike[]
  readonly allocationMode?: string
  readonly count?: number
  readonly adminAccess?: boolean
  readonly tolerations?: readonly Toleration[]
}
export interface RequestLike {
  readonly name: string
  readonly exactly?: WantedDevices
  readonly firstAvailable?: readonly (WantedDevices & { readonly name: string })[]
}
export interface ConstraintLike {
  readonly requests?: readonly string[]
  readonly matchAttribute?: string
  readonly distinctAttribute?: string
}
export interface AllocatedDevice {
  readonly request: string
  readonly driver: string
  readonly pool: string
  readonly device: string
  readonly adminAccess?: boolean
  readonly tolerations?: readonly Toleration[]
}
export interface Allocation {
  readonly devices: {
    readonly results: readonly AllocatedDevice[]
    readonly config?: readonly (ConfigurationLike & { readonly source: string })[]
  }
  readonly nodeSelector?: NodeSelector
}
export interface DeviceClaimLike extends ApiObject {
  spec: {
    readonly devices?: {
      readonly requests?: readonly RequestLike[]
      readonly constraints?: readonly ConstraintLike[]
      readonly config?: readonly ConfigurationLike[]
    }
  }
  status?: {
    readonly allocation?: Allocation
    readonly reservedFor?: readonly { readonly resource: string; readonly name: string; readonly uid: string }[]
  }
}

export const deviceKey = (driver: string, pool: string, device: string): string => `${driver}/${pool}/${device}`

/** The alternatives of a request with the names that results and constraints use for them: `gpu`, or `gpu/small`. */
export const alternativesOf = ({
  name,
  exactly,
  firstAvailable = [],
}: RequestLike): [label: string, WantedDevices][] =>
  exactly ? [[name, exactly]] : firstAvailable.map(each => [`${name}/${each.name}`, each])
