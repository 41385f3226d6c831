import { ageColumn, type Column, nameColumn } from 'orch/sdk'
import type { VolumeAttachment } from './schema.js'

export const columns: readonly Column<VolumeAttachment>[] = [
  nameColumn as Column<VolumeAttachment>,
  {
    name: 'Attacher',
    type: 'string',
    format: 'name',
    description: 'Driver that attaches the volume.',
    cell: ({ spec }) => spec.attacher,
  },
  {
    name: 'PV',
    type: 'string',
    description: 'The volume.',
    cell: ({ spec }) => spec.source.persistentVolumeName ?? '',
  },
  { name: 'Node', type: 'string', description: 'Where it is to be attached.', cell: ({ spec }) => spec.nodeName },
  {
    name: 'Attached',
    type: 'boolean',
    description: 'Whether it is attached.',
    cell: ({ status }) => status?.attached ?? false,
  },
  ageColumn as Column<VolumeAttachment>,
]
