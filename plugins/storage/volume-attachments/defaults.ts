import { roundResourceList } from 'orch/sdk'
import type { VolumeAttachment } from './schema.js'

/** Amounts finer than a thousandth are rounded up. */
export function fillAttachment({ spec }: VolumeAttachment): void {
  roundResourceList(spec?.source?.inlineVolumeSpec?.capacity)
}
