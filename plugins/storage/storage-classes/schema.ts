import { AtomicList, Bool, field, Kind, kept, ListOf, required, type SentObjectOf, StringMap, Text } from 'orch/sdk'
import { TopologySelectorTerm } from 'orch/sdk/core'
import type { StorageNames } from '../names.js'

/** Claims of such a class are bound when the first Pod that uses them has a node. */
export const waitForFirstConsumer = 'WaitForFirstConsumer'
const bindingModes: readonly string[] = ['Immediate', waitForFirstConsumer]

export const StorageClass = Kind(
  'storage.v1.StorageClass',
  {
    provisioner: required(2, Text({ minLength: 1 }), 'Name of the provisioner of the volumes.'),
    parameters: field(3, StringMap(), 'Settings for the provisioner. They cannot be changed.'),
    reclaimPolicy: kept(4, Text(), {
      description: 'What happens to a volume when its claim is deleted: Delete (the default) or Retain.',
      default: 'Delete',
    }),
    mountOptions: field(5, ListOf(Text()), 'Options for mounting the volumes. They are not checked.'),
    allowVolumeExpansion: kept(6, Bool(), 'Whether claims may be expanded.'),
    volumeBindingMode: kept(7, Text({ enum: bindingModes }), {
      description: 'Whether a volume is provisioned at once (Immediate) or when a Pod needs it (WaitForFirstConsumer).',
      default: 'Immediate',
    }),
    allowedTopologies: field(
      8,
      AtomicList(TopologySelectorTerm),
      'Parts of the cluster in which volumes may be provisioned. Everywhere by default.',
    ),
  },
  { description: 'A class of storage that claims can request.' },
)
export type StorageClass = SentObjectOf<typeof StorageClass>

/** Names the collection for clients and caches. */
export const classCollection = ({ group }: Pick<StorageNames, 'group'>) =>
  ({ group, version: 'v1', resource: 'storageclasses' }) as const
