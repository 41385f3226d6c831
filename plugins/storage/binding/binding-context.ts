import type { ResourceClient } from 'orch/sdk/client'
import type { EventRecorder, EventSubject } from 'orch/sdk/controllers'
import type { StorageNames } from '../names.js'
import type { PersistentVolumeClaim } from '../persistent-volume-claims/schema.js'
import type { PersistentVolume } from '../persistent-volumes/schema.js'
import type { StorageClass } from '../storage-classes/schema.js'

/** Shared by the steps of binding. Objects that are looked up come from a cache and must not be changed. */
export interface BindingContext {
  readonly names: StorageNames
  readonly volumes: ResourceClient<PersistentVolume>
  readonly claims: ResourceClient<PersistentVolumeClaim>
  readonly events: EventRecorder
  volume(name: string): PersistentVolume | undefined
  claim(namespace: string, name: string): PersistentVolumeClaim | undefined
  storageClass(name: string): StorageClass | undefined
  /** The class for claims that have none, if there is one. */
  defaultClass(): StorageClass | undefined
  allVolumes(): readonly PersistentVolume[]
}

/** Records a decision as an Event. */
export const warn = (context: BindingContext, object: EventSubject, reason: string, message: string): Promise<void> =>
  context.events.record(object, 'Warning', reason, message)
export const inform = (context: BindingContext, object: EventSubject, reason: string, message: string): Promise<void> =>
  context.events.record(object, 'Normal', reason, message)
