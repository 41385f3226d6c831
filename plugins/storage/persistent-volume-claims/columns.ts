import { ageColumn, type Column, nameColumn } from 'orch/sdk'
import { accessModesText } from '../access-modes-text.js'
import type { StorageNames } from '../names.js'
import { classOf } from '../volume-class.js'
import type { PersistentVolumeClaim } from './schema.js'

const text = (
  name: string,
  description: string,
  cell: (claim: PersistentVolumeClaim) => string,
  priority = 0,
): Column<PersistentVolumeClaim> => ({ name, type: 'string', description, priority, cell })

export const columns = (names: StorageNames): readonly Column<PersistentVolumeClaim>[] => [
  nameColumn as Column<PersistentVolumeClaim>,
  text('Status', 'Phase of the claim.', ({ metadata, status }) =>
    metadata?.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
  ),
  text('Volume', 'The volume it is bound to.', ({ spec }) => spec?.volumeName ?? ''),
  // Before there is a volume, nobody knows what it will be.
  text('Capacity', 'Size of the volume.', ({ spec, status }) =>
    spec?.volumeName ? (status?.capacity?.['storage'] ?? '0') : '',
  ),
  text('Access Modes', 'How the volume can be mounted.', ({ spec, status }) =>
    spec?.volumeName ? accessModesText(status?.accessModes) : '',
  ),
  text('StorageClass', 'Class the claim asks for.', claim => classOf(claim, names)),
  ageColumn as Column<PersistentVolumeClaim>,
  text('VolumeMode', 'File system or raw device.', ({ spec }) => spec?.volumeMode ?? '<unset>', 1),
]
