import { type ObjectMeta, strategyForStatus } from 'orch/sdk'
import type { StorageNames } from '../names.js'
import type { VolumeAttachment } from './schema.js'
import { validateAttachmentUpdate } from './validation.js'

const kept = ['generation', 'labels', 'annotations', 'finalizers', 'ownerReferences'] as const

/** Who attaches a volume has no say in anything but the status. */
export const statusStrategy = (names: StorageNames) =>
  strategyForStatus<VolumeAttachment>({
    prepareForUpdate(draft, stored) {
      const metadata: ObjectMeta = { ...draft.metadata }
      for (const field of kept) delete metadata[field]
      const before = Object.entries(stored.metadata ?? {}).filter(([field]) => kept.some(name => name === field))
      draft.metadata = { ...metadata, ...Object.fromEntries(before) }
    },
    validateUpdate: (sent, stored) => validateAttachmentUpdate(sent, stored, names),
    resetFields: ['metadata'],
    unconditionalUpdate: false,
    metadataChecks: { change: 0, object: 2 },
  })
