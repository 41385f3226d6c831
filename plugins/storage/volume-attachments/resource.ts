import { defineResource, strategyForSpec } from 'orch/sdk'
import { roundResourceList } from 'orch/sdk/core'
import type { StorageNames } from '../names.js'
import { columns } from './columns.js'
import { VolumeAttachment } from './schema.js'
import { statusStrategy } from './status-strategy.js'
import { validateAttachmentUpdate, validateNewAttachment } from './validation.js'

/** Who wants a volume attached writes the spec; who attaches it writes the status. */
const mainStrategy = (names: StorageNames) =>
  strategyForSpec<VolumeAttachment>({
    newStatus: () => ({ attached: false }),
    validate: attachment => validateNewAttachment(attachment, names),
    validateUpdate: (sent, stored) => validateAttachmentUpdate(sent, stored, names),
    unconditionalUpdate: false,
    metadataChecks: { change: 0, object: 2 },
  })

/** Amounts finer than a thousandth are rounded up. */
function fillAttachment({ spec }: VolumeAttachment): void {
  roundResourceList(spec?.source?.inlineVolumeSpec?.capacity)
}

export const volumeAttachments = (names: StorageNames) =>
  defineResource({
    group: names.group,
    kind: 'VolumeAttachment',
    resource: 'volumeattachments',
    namespaced: false,
    versions: [{ name: 'v1', schema: VolumeAttachment, defaults: fillAttachment }],
    generation: false,
    strategy: mainStrategy(names),
    deletion: { answer: 'object' },
    subresources: { status: { kind: 'update', strategy: statusStrategy(names) } },
    columns,
  })
