import type { ResourceClient } from 'orch/sdk/client'
import type { EventRecorder } from 'orch/sdk/controllers'
import type { Claim, Names, StorageClass, Volume } from './objects.js'

/** Shared by the three jobs of the provisioner. */
export interface Context {
  readonly names: Names
  /** Its name in storage classes. */
  readonly provisioner: string
  /** Every volume is a folder in here. */
  readonly root: string
  readonly claims: ResourceClient<Claim>
  readonly volumes: ResourceClient<Volume>
  readonly events: EventRecorder
  findClass(name: string): StorageClass | undefined
  findVolume(name: string): Volume | undefined
}
