import type { Clock, Logger, Vendor } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { createEventRecorder, splitKey, startControlLoop } from 'orch/sdk/controllers'
import type { Context } from './context.js'
import { type Claim, namesFor, type StorageClass, type Volume } from './objects.js'
import { provision } from './provision.js'
import { remove } from './remove.js'
import { resize } from './resize.js'

export interface ProvisionerOptions {
  readonly client: Client
  readonly clock: Clock
  readonly logger: Logger
  readonly vendor: Vendor
  /** Its name in storage classes, such as `example.com/host-path`. */
  readonly provisioner: string
  /** Folder for the volumes. */
  readonly root: string
}

/** Starts the provisioner; the returned function stops it. It only needs the API and a folder. */
export function startProvisioner(options: ProvisionerOptions): Promise<() => Promise<void>> {
  const { client, vendor, provisioner, root } = options
  const names = namesFor(vendor)
  const shared = {
    names,
    provisioner,
    root,
    claims: client.resource<Claim>(names.claims),
    volumes: client.resource<Volume>(names.volumes),
    events: createEventRecorder({ ...options, component: provisioner }),
  }
  return startControlLoop({
    ...options,
    name: 'host-path-provisioner',
    sources: [
      // Keys with a slash are claims, others volumes.
      { resource: names.claims },
      { resource: names.volumes },
      { resource: names.classes, keys: () => [] },
    ],
    async reconcile(key, caches) {
      const context: Context = {
        ...shared,
        findClass: name => caches.of<StorageClass>(names.classes).get('', name),
        findVolume: name => caches.of<Volume>(names.volumes).get('', name),
      }
      const { namespace, name } = splitKey(key)
      if (namespace === '') {
        const volume = context.findVolume(name)
        if (volume) await remove(volume, context)
        return
      }
      const claim = caches.of<Claim>(names.claims).get(namespace, name)
      if (!claim) return
      await provision(claim, context)
      await resize(claim, context)
    },
  })
}
