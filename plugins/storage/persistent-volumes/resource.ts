import { defineResource, strategyForSpec, strategyForStatus } from 'orch/sdk'
import { roundResourceList } from 'orch/sdk/core'
import type { StorageNames } from '../names.js'
import { columns } from './columns.js'
import { PersistentVolume } from './schema.js'
import { validateVolume, validateVolumeUpdate } from './validation.js'

/** Clients write metadata and spec; the status says what the binder made of them. */
const mainStrategy = (names: StorageNames) =>
  strategyForSpec<PersistentVolume>({
    // The phase is a default: admission sees none yet.
    newStatus: () => ({}),
    validate: volume => validateVolume(volume, names),
    validateUpdate: (sent, stored) => validateVolumeUpdate(sent, stored, names),
    metadataChecks: { change: 0, object: 2 },
  })

const statusStrategy = strategyForStatus<PersistentVolume>()

/** What a volume says only when it is an object of its own, not inside an attachment. */
function fillVolume({ spec }: PersistentVolume): void {
  if (spec === undefined) return
  spec.persistentVolumeReclaimPolicy ||= 'Retain'
  spec.volumeMode ??= 'Filesystem'
  roundResourceList(spec.capacity)
}

export const persistentVolumes = (names: StorageNames) =>
  defineResource({
    group: '',
    kind: 'PersistentVolume',
    resource: 'persistentvolumes',
    shortNames: ['pv'],
    namespaced: false,
    versions: [{ name: 'v1', schema: PersistentVolume, defaults: fillVolume }],
    generation: false,
    strategy: mainStrategy(names),
    deletion: { answer: 'object' },
    subresources: { status: { kind: 'update', strategy: statusStrategy } },
    columns: columns(names),
  })
