import {
  type Cache,
  type CacheChange,
  type Caches,
  defineService,
  type ResourceCatalogue,
  services,
  type Vendor,
} from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import { nodeRules } from '../defaults/cluster-roles.js'
import type { AuthorizationNames } from '../names.js'
import { NodeAccess, type NodeAccessGates, nodeAccess } from './node-access.js'
import { type AttachmentObject, NodeGraph, type VolumeObject } from './node-graph.js'

/** A node graph that follows Pods, volumes and attachments by watch. A type that no plugin serves links nothing. */
export class LiveNodeGraph extends NodeGraph {
  readonly #caches: Cache<never>[] = []
  #isReady = false

  constructor(caches: Caches, resources: ResourceCatalogue, names: AuthorizationNames) {
    super(names.mirrorPodAnnotation)
    const follow = <T>(group: string, resource: string, change: (object: T | undefined, by: 1 | -1) => void) => {
      if (resources.find(group, resource) === undefined) return
      const cache = caches.of<T>({ group, resource })
      this.#caches.push(cache as Cache<never>)
      cache.onChange(({ type, object, previous }: CacheChange<T>) => {
        change(type === 'deleted' ? (previous ?? object) : previous, -1)
        if (type !== 'deleted') change(object, 1)
      })
    }
    follow<Pod>('', 'pods', (pod, by) => this.changePod(pod, by))
    follow<VolumeObject>('', 'persistentvolumes', (volume, by) => this.changeVolume(volume, by))
    follow<AttachmentObject>(names.storageGroup, 'volumeattachments', (found, by) => this.changeAttachment(found, by))
  }

  override get isReady(): boolean {
    this.#isReady ||= this.#caches.every(cache => cache.isReady)
    return this.#isReady
  }
  override async ready(): Promise<void> {
    await Promise.all(this.#caches.map(cache => cache.ready()))
  }
}

export const nodeAccessService = (vendor: Vendor, names: AuthorizationNames, gates: NodeAccessGates) =>
  defineService({
    token: nodeAccess,
    needs: { caches: services.caches, resources: services.resources },
    create: ({ caches, resources }) =>
      new NodeAccess(names, nodeRules(vendor), new LiveNodeGraph(caches, resources, names), gates),
  })
