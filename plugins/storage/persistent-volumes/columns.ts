import { ageColumn, type Column, nameColumn } from 'orch/sdk'
import { accessModesText } from '../access-modes-text.js'
import type { StorageNames } from '../names.js'
import { classOf } from '../volume-class.js'
import type { PersistentVolume } from './schema.js'

const text = (
  name: string,
  description: string,
  cell: (volume: PersistentVolume) => string,
  priority = 0,
): Column<PersistentVolume> => ({ name, type: 'string', description, priority, cell })

export const columns = (names: StorageNames): readonly Column<PersistentVolume>[] => [
  nameColumn as Column<PersistentVolume>,
  text('Capacity', 'Size of the volume.', ({ spec }) => spec?.capacity?.['storage'] ?? '0'),
  text('Access Modes', 'How the volume can be mounted.', ({ spec }) => accessModesText(spec?.accessModes)),
  text(
    'Reclaim Policy',
    'What happens to the volume when its claim is gone.',
    ({ spec }) => spec?.persistentVolumeReclaimPolicy ?? '',
  ),
  text('Status', 'Phase of the volume.', ({ metadata, status }) =>
    metadata?.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
  ),
  text('Claim', 'The claim it is bound to.', ({ spec }) =>
    spec?.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : '',
  ),
  text('StorageClass', 'Class of the volume.', volume => classOf(volume, names)),
  text('Reason', 'Why it is in its phase.', ({ status }) => status?.reason ?? ''),
  ageColumn as Column<PersistentVolume>,
  text('VolumeMode', 'File system or raw device.', ({ spec }) => spec?.volumeMode ?? '<unset>', 1),
]
