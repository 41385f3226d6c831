import { ageColumn, type Column, defineResource, nameColumn, strategyForSpec, strategyForStatus } from 'orch/sdk'
import { checksSelectorValues, roundResourceList } from 'orch/sdk/core'
import { accessModesText } from '../access-modes-text.js'
import type { StorageNames } from '../names.js'
import type { ClaimFeatures } from '../options.js'
import { classOf } from '../volume-class.js'
import { warningsAboutClaim } from '../warnings.js'
import { hasSourceGroup, normalizeDataSources } from './data-sources.js'
import { PersistentVolumeClaim } from './schema.js'
import { validateClaim, validateClaimStatus, validateClaimUpdate } from './validation.js'

const text = (
  name: string,
  description: string,
  cell: (claim: PersistentVolumeClaim) => string,
  priority = 0,
): Column<PersistentVolumeClaim> => ({ name, type: 'string', description, priority, cell })

export const columns = (names: StorageNames): readonly Column<PersistentVolumeClaim>[] => [
  nameColumn as Column<PersistentVolumeClaim>,
  text('Status', 'Phase of the claim.', ({ metadata, status }) =>
    metadata?.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
  ),
  text('Volume', 'The volume it is bound to.', ({ spec }) => spec?.volumeName ?? ''),
  // Before there is a volume, its attributes are unknown.
  text('Capacity', 'Size of the volume.', ({ spec, status }) =>
    spec?.volumeName ? (status?.capacity?.['storage'] ?? '0') : '',
  ),
  text('Access Modes', 'How the volume can be mounted.', ({ spec, status }) =>
    spec?.volumeName ? accessModesText(status?.accessModes) : '',
  ),
  text('StorageClass', 'The requested class.', claim => classOf(claim, names)),
  {
    ...text(
      'VolumeAttributesClass',
      'Class of its attributes.',
      ({ spec }) => spec?.volumeAttributesClassName ?? '<unset>',
    ),
    since: '1.29',
  },
  ageColumn as Column<PersistentVolumeClaim>,
  text('VolumeMode', 'File system or raw device.', ({ spec }) => spec?.volumeMode ?? '<unset>', 1),
]

/** Clients write metadata and spec; the binder writes the status. */
const mainStrategy = (names: StorageNames, features: ClaimFeatures) =>
  strategyForSpec<PersistentVolumeClaim>({
    newStatus: () => ({ phase: 'Pending' }),
    prepareForCreate(draft) {
      normalizeDataSources((draft.spec ??= {}), undefined, names, features)
    },
    prepareForUpdate(draft, stored) {
      normalizeDataSources((draft.spec ??= {}), stored.spec, names, features)
    },
    validate: (claim, { vendor: { level } }) =>
      validateClaim(claim, { ...features, checksValues: checksSelectorValues(level) }),
    validateUpdate: (sent, stored, { vendor: { level } }) => {
      const checksValues = checksSelectorValues(level, stored.spec?.selector)
      const checkedGroups = Boolean(features.checkedGroups) && !hasSourceGroup(stored.spec ?? {})
      return validateClaimUpdate(sent, stored, names, { ...features, checksValues, checkedGroups })
    },
    metadataChecks: { change: 1, object: features.checkedOnce ? 1 : 2 },
    warnings: (claim, _, { vendor }) => warningsAboutClaim(claim, names, vendor),
  })

const statusStrategy = (features: ClaimFeatures) =>
  strategyForStatus<PersistentVolumeClaim>({
    prepareForUpdate(draft, stored) {
      if (features.recoverVolumeExpansionFailure) return
      // Recovery from a failed expansion is not final yet, so clients must not rely on it.
      if (draft.status && !stored.status?.allocatedResources) delete draft.status.allocatedResources
      if (draft.status && !stored.status?.resizeStatus) delete draft.status.resizeStatus
      if (draft.status && !stored.status?.allocatedResourceStatuses) delete draft.status.allocatedResourceStatuses
    },
    validateUpdate: (sent, _, { vendor }) => validateClaimStatus(sent, vendor, features),
  })

/** Amounts finer than a thousandth are rounded up. */
function fillClaim({ spec, status }: PersistentVolumeClaim): void {
  roundResourceList(spec?.resources?.limits)
  roundResourceList(spec?.resources?.requests)
  roundResourceList(status?.capacity)
  roundResourceList(status?.allocatedResources)
}

export const persistentVolumeClaims = (names: StorageNames, features: ClaimFeatures) =>
  defineResource({
    group: '',
    kind: 'PersistentVolumeClaim',
    resource: 'persistentvolumeclaims',
    shortNames: ['pvc'],
    namespaced: true,
    versions: [{ name: 'v1', schema: PersistentVolumeClaim, defaults: fillClaim }],
    generation: false,
    strategy: mainStrategy(names, features),
    deletion: { answer: 'object' },
    subresources: { status: { kind: 'update', strategy: statusStrategy(features) } },
    columns: columns(names),
  })
