import type { PersistentVolumeClaimSpec, TypedLocalObjectReference } from 'orch/sdk/core'
import type { StorageNames } from '../names.js'
import type { ClaimFeatures } from '../options.js'

/**
 * Settles what a new or changed claim is filled from. `dataSource` names a claim or a snapshot; anything else in it was
 * always ignored, and still is, unless the stored claim has a data source. `dataSourceRef` names any object, where the
 * option allows it, and then each of the two is copied into the other when that is empty.
 */
export function settleDataSources(
  spec: PersistentVolumeClaimSpec,
  stored: PersistentVolumeClaimSpec | undefined,
  { snapshotGroup }: Pick<StorageNames, 'snapshotGroup'>,
  { anyVolumeDataSource }: Pick<ClaimFeatures, 'anyVolumeDataSource'>,
): void {
  if (!anyVolumeDataSource) delete spec.dataSourceRef
  const isKnown = ({ apiGroup, kind }: TypedLocalObjectReference) =>
    (kind === 'PersistentVolumeClaim' && !apiGroup) || (kind === 'VolumeSnapshot' && apiGroup === snapshotGroup)
  const wasUsed = Boolean(stored?.dataSource || stored?.dataSourceRef)
  if (spec.dataSource && !wasUsed && !isKnown(spec.dataSource)) delete spec.dataSource
  if (!anyVolumeDataSource) return
  if (spec.dataSource) spec.dataSourceRef ??= { ...spec.dataSource }
  else if (spec.dataSourceRef) spec.dataSource = { ...spec.dataSourceRef }
}
