import { type ApiObject, definePlugin, defineResource } from 'orch/sdk'
import { Event, type PersistentVolumeClaimSpec, type PersistentVolumeSpec, Pod } from 'orch/sdk/core'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { podCollection } from '../names.js'
import { claimCollection, type PersistentVolumeClaim } from '../persistent-volume-claims/schema.js'
import { type PersistentVolume, volumeCollection } from '../persistent-volumes/schema.js'
import { storage } from '../plugin.js'
import { classCollection, type StorageClass } from '../storage-classes/schema.js'
import type { VolumeAttributesClass } from '../volume-attributes-classes/schema.js'
import { acmeNames, acmeProfile } from './acme.js'

/** Fakes of the plugins that this one requires: their types have schemas, but no behaviour. */
export const requiredPlugins = [
  definePlugin({ name: 'namespaces', register: () => {} }),
  definePlugin({
    name: 'workloads',
    register(to) {
      const common = { group: '', namespaced: true }
      to.resource(
        defineResource({ ...common, kind: 'Pod', resource: 'pods', versions: [{ name: 'v1', schema: Pod }] }),
        defineResource({ ...common, kind: 'Event', resource: 'events', versions: [{ name: 'v1', schema: Event }] }),
      )
    },
  }),
]

/** A real server with this plugin, under a vendor of its own, and its collections. */
export class StorageServer {
  readonly #server: TestServer
  private constructor(server: TestServer) {
    this.#server = server
  }
  static async start(options: Record<string, unknown> = {}): Promise<StorageServer> {
    return new StorageServer(
      await startServer({ plugins: [...requiredPlugins, storage], vendor: acmeProfile, options }),
    )
  }
  get volumes() {
    return this.#server.client.resource<PersistentVolume>(volumeCollection)
  }
  get claims() {
    return this.#server.client.resource<PersistentVolumeClaim>(claimCollection).in('town')
  }
  get classes() {
    return this.#server.client.resource<StorageClass>(classCollection(acmeNames))
  }
  get attributesClasses() {
    return this.#server.client.resource<VolumeAttributesClass>({
      group: acmeNames.group,
      version: 'v1',
      resource: 'volumeattributesclasses',
    })
  }
  get pods() {
    return this.#server.client.resource<ApiObject>(podCollection).in('town')
  }
  get events() {
    return this.#server.client.resource<Event>({ group: '', version: 'v1', resource: 'events' }).in('town')
  }
  stop(): Promise<void> {
    return this.#server.stop()
  }
}

/** Runs a test with a server of its own. */
export async function withStorage(
  test: (server: StorageServer) => Promise<void>,
  options: Record<string, unknown> = {},
): Promise<void> {
  const server = await StorageServer.start(options)
  try {
    await test(server)
  } finally {
    await server.stop()
  }
}

export const aVolume = (name: string, spec: PersistentVolumeSpec = {}): PersistentVolume => ({
  metadata: { name },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/data' }, ...spec },
})
export const aClaim = (name: string, spec: PersistentVolumeClaimSpec = {}): PersistentVolumeClaim => ({
  metadata: { name },
  spec: {
    accessModes: ['ReadWriteOnce'],
    storageClassName: '',
    resources: { requests: { storage: '1Gi' } },
    ...spec,
  },
})
/** A Pod with a node, and the volumes a test needs. */
export const aPod = (name: string, volumes: Pod['spec']['volumes'], nodeName = 'north'): ApiObject => ({
  metadata: { name },
  spec: { nodeName, containers: [{ name: 'main', image: 'none' }], volumes },
})

type Phased = { readonly status?: { readonly phase?: string } }
export const inPhase =
  (phase: string) =>
  ({ status }: Phased): boolean =>
    status?.phase === phase
