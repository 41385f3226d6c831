import {
  ageColumn,
  type Column,
  defineResource,
  nameColumn,
  type ObjectMeta,
  strategyForSpec,
  strategyForStatus,
} from 'orch/sdk'
import { roundResourceList } from 'orch/sdk/core'
import type { StorageNames } from '../names.js'
import { VolumeAttachment } from './schema.js'
import { type AttachmentRules, validateAttachmentUpdate, validateNewAttachment } from './validation.js'

const columns: readonly Column<VolumeAttachment>[] = [
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
  { name: 'Node', type: 'string', description: 'The node that it is attached to.', cell: ({ spec }) => spec.nodeName },
  {
    name: 'Attached',
    type: 'boolean',
    description: 'Whether it is attached.',
    cell: ({ status }) => status?.attached ?? false,
  },
  ageColumn as Column<VolumeAttachment>,
]

const kept = ['generation', 'labels', 'annotations', 'finalizers', 'ownerReferences'] as const

/** The attacher may change only the status. */
export const statusStrategy = (names: StorageNames, rules: AttachmentRules) =>
  strategyForStatus<VolumeAttachment>({
    prepareForUpdate(draft, stored) {
      const metadata: ObjectMeta = { ...draft.metadata }
      for (const field of kept) delete metadata[field]
      const before = Object.entries(stored.metadata ?? {}).filter(([field]) => kept.some(name => name === field))
      draft.metadata = { ...metadata, ...Object.fromEntries(before) }
    },
    validateUpdate: (sent, stored) => validateAttachmentUpdate(sent, stored, names, rules),
    resetFields: ['metadata'],
    unconditionalUpdate: false,
    metadataChecks: { change: 0, object: rules.checkedOnce ? 1 : 2 },
  })

/** The spec is written by the component that requests the attachment, the status by the attacher. */
const mainStrategy = (names: StorageNames, rules: AttachmentRules) =>
  strategyForSpec<VolumeAttachment>({
    newStatus: () => ({ attached: false }),
    validate: attachment => validateNewAttachment(attachment, names, rules),
    validateUpdate: (sent, stored) => validateAttachmentUpdate(sent, stored, names, rules),
    unconditionalUpdate: false,
    metadataChecks: { change: 0, object: rules.checkedOnce ? 1 : 2 },
  })

/** Amounts finer than a thousandth are rounded up. */
function fillAttachment({ spec }: VolumeAttachment): void {
  roundResourceList(spec?.source?.inlineVolumeSpec?.capacity)
}

export const volumeAttachments = (names: StorageNames, rules: AttachmentRules) =>
  defineResource({
    group: names.group,
    kind: 'VolumeAttachment',
    resource: 'volumeattachments',
    namespaced: false,
    versions: [{ name: 'v1', schema: VolumeAttachment, defaults: fillAttachment }],
    generation: false,
    strategy: mainStrategy(names, rules),
    deletion: { answer: 'object' },
    subresources: { status: { kind: 'update', strategy: statusStrategy(names, rules) } },
    columns,
  })
