import { defineResource } from 'orch/sdk'
import type { StorageNames } from '../names.js'
import { columns } from './columns.js'
import { fillAttachment } from './defaults.js'
import { VolumeAttachment } from './schema.js'
import { statusStrategy } from './status-strategy.js'
import { mainStrategy } from './strategy.js'

export const volumeAttachments = (names: StorageNames) =>
  defineResource({
    group: names.group,
    kind: 'VolumeAttachment',
    resource: 'volumeattachments',
    namespaced: false,
    versions: [{ name: 'v1', schema: VolumeAttachment, defaults: fillAttachment }],
    strategy: mainStrategy(names),
    deletion: { answer: 'object' },
    subresources: { status: { kind: 'update', strategy: statusStrategy(names) } },
    columns,
  })
