import { type Column, defineResource, nameColumn, type Strategy } from 'orch/sdk'
import { PodSecurityPolicy } from './schema.js'
import { validatePodSecurityPolicy } from './validation.js'

type Cells = Column<PodSecurityPolicy>
const text = (name: string, description: string, cell: Cells['cell']): Cells => ({
  name,
  type: 'string',
  description,
  cell,
})
const list = (values: readonly string[] = []) => values.join(',')

const columns: readonly Cells[] = [
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

/** The feature gate for other views of /proc is off by default, so the field is dropped. */
const dropUnservedFields = ({ spec }: PodSecurityPolicy): void => {
  delete spec?.allowedProcMountTypes
}

const mainStrategy = {
  prepareForCreate: dropUnservedFields,
  prepareForUpdate: dropUnservedFields,
  validate: validatePodSecurityPolicy,
  validateUpdate: (sent, _, context) => validatePodSecurityPolicy(sent, context),
  metadataChecks: { change: 1, object: 0 },
} satisfies Strategy<PodSecurityPolicy>

export const podSecurityPolicies = defineResource({
  until: '1.24',
  group: 'policy',
  formerGroup: 'extensions',
  kind: 'PodSecurityPolicy',
  resource: 'podsecuritypolicies',
  singular: 'podsecuritypolicy',
  shortNames: ['psp'],
  namespaced: false,
  versions: [
    {
      name: 'v1beta1',
      schema: PodSecurityPolicy,
      deprecated: {
        since: '1.21',
        removedRelease: '1.25',
      },
    },
  ],
  generation: false,
  strategy: mainStrategy,
  deletion: { answer: 'object' },
  columns,
})
