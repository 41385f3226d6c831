import { type Column, nameColumn } from 'orch/sdk'
import type { PodSecurityPolicy } from './schema.js'

type Cells = Column<PodSecurityPolicy>
const text = (name: string, description: string, cell: Cells['cell']): Cells => ({
  name,
  type: 'string',
  description,
  cell,
})
const list = (values: readonly string[] = []) => values.join(',')

export const columns: readonly Cells[] = [
  nameColumn as Cells,
  text('Priv', 'May containers be privileged?', ({ spec }) => String(spec?.privileged ?? false)),
  text('Caps', 'Capabilities containers may add.', ({ spec }) => list(spec?.allowedCapabilities)),
  text('Selinux', 'Rule for SELinux labels.', ({ spec }) => spec?.seLinux?.rule ?? ''),
  text('RunAsUser', 'Rule for users.', ({ spec }) => spec?.runAsUser?.rule ?? ''),
  text('FsGroup', 'Rule for the group of volumes.', ({ spec }) => spec?.fsGroup?.rule ?? ''),
  text('SupGroup', 'Rule for further groups.', ({ spec }) => spec?.supplementalGroups?.rule ?? ''),
  text('ReadOnlyRootFs', 'Must the root file system be read-only?', ({ spec }) =>
    String(spec?.readOnlyRootFilesystem ?? false),
  ),
  text('Volumes', 'Volume sources that are allowed.', ({ spec }) => list(spec?.volumes)),
]
