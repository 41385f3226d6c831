import type { PersistentVolumeClaimSpec, TypedLocalObjectReference, TypedObjectReference } from 'orch/sdk/core'
import type { StorageNames } from '../names.js'
import type { ClaimFeatures } from '../options.js'

/**
 * Normalizes the data sources of a new or changed claim. `dataSource` names a claim or a snapshot; anything else in it
 * has always been ignored, and still is, unless the client sends `dataSourceRef` or the stored claim has a data source.
 * `dataSourceRef` names any object, where the gate allows it, and then each of the two is copied into the other when
 * that is empty. A reference to another namespace, where that is disabled, is dropped as a whole: an object of the same
 * name in this namespace is not meant.
 */
export function normalizeDataSources(
  spec: PersistentVolumeClaimSpec,
  stored: PersistentVolumeClaimSpec | undefined,
  { snapshotGroup }: Pick<StorageNames, 'snapshotGroup'>,
  {
    anyVolumeDataSource,
    crossNamespaceVolumeDataSource: allowsOtherNamespaces,
  }: Pick<ClaimFeatures, 'anyVolumeDataSource' | 'crossNamespaceVolumeDataSource'>,
): void {
  const isInOtherNamespace = Boolean(namespaceOf(spec.dataSourceRef))
  if (!anyVolumeDataSource || (isInOtherNamespace && !allowsOtherNamespaces && !stored?.dataSourceRef))
    delete spec.dataSourceRef
  const isKnown = ({ apiGroup, kind }: TypedLocalObjectReference) =>
    (kind === 'PersistentVolumeClaim' && !apiGroup) || (kind === 'VolumeSnapshot' && apiGroup === snapshotGroup)
  const wasUsed = Boolean(stored?.dataSource || stored?.dataSourceRef)
  if (spec.dataSource && !wasUsed && !spec.dataSourceRef && !isKnown(spec.dataSource)) delete spec.dataSource
  if (!anyVolumeDataSource) return
  if (spec.dataSource) spec.dataSourceRef ??= { ...spec.dataSource }
  else if (spec.dataSourceRef && !namespaceOf(spec.dataSourceRef)) {
    const { namespace: _, ...local }: TypedObjectReference = spec.dataSourceRef
    spec.dataSource = local
  }
}

/** Whether a data source is of another group than claims. A reference without a group has null. */
export const hasSourceGroup = ({ dataSource, dataSourceRef }: PersistentVolumeClaimSpec): boolean =>
  [dataSource, dataSourceRef].some(source => typeof source?.apiGroup === 'string')

/** References have a namespace since 1.26. */
const namespaceOf = (reference: TypedObjectReference | undefined) => reference?.namespace
