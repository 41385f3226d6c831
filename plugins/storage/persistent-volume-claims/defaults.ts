import { roundResourceList } from 'orch/sdk'
import type { PersistentVolumeClaim } from './schema.js'

/** Amounts finer than a thousandth are rounded up. */
export function fillClaim({ spec, status }: PersistentVolumeClaim): void {
  roundResourceList(spec?.resources?.limits)
  roundResourceList(spec?.resources?.requests)
  roundResourceList(status?.capacity)
  roundResourceList(status?.allocatedResources)
}
