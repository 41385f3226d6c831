import {
  ageColumn,
  type Column,
  defineResource,
  nameColumn,
  strategyForSpec,
  strategyForStatus,
  timestampOf,
} from 'orch/sdk'
import { type ClaimRules, checksNodeSelectorValues, roundResourceList } from 'orch/sdk/core'
import { accessModesText } from '../access-modes-text.js'
import { newVolumesKeepStatus } from '../differences.js'
import type { StorageNames } from '../names.js'
import { classOf } from '../volume-class.js'
import { warningsAboutVolume } from '../warnings.js'
import { PersistentVolume } from './schema.js'
import { validateVolume, validateVolumeUpdate } from './validation.js'

const text = (
  name: string,
  description: string,
  cell: (volume: PersistentVolume) => string,
  priority = 0,
): Column<PersistentVolume> => ({ name, type: 'string', description, priority, cell })

export const columns = (names: StorageNames): readonly Column<PersistentVolume>[] => [
  nameColumn as Column<PersistentVolume>,
  text('Capacity', 'Size of the volume.', ({ spec }) => spec?.capacity?.['storage'] ?? '0'),
  text('Access Modes', 'How the volume can be mounted.', ({ spec }) => accessModesText(spec?.accessModes)),
  text(
    'Reclaim Policy',
    'What happens to the volume when its claim is deleted.',
    ({ spec }) => spec?.persistentVolumeReclaimPolicy ?? '',
  ),
  text('Status', 'Phase of the volume.', ({ metadata, status }) =>
    metadata?.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
  ),
  text('Claim', 'The claim it is bound to.', ({ spec }) =>
    spec?.claimRef ? `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}` : '',
  ),
  text('StorageClass', 'Class of the volume.', volume => classOf(volume, names)),
  {
    ...text(
      'VolumeAttributesClass',
      'Class of its attributes.',
      ({ spec }) => spec?.volumeAttributesClassName ?? '<unset>',
    ),
    since: '1.29',
  },
  text('Reason', 'Why it is in its phase.', ({ status }) => status?.reason ?? ''),
  ageColumn as Column<PersistentVolume>,
  text('VolumeMode', 'File system or raw device.', ({ spec }) => spec?.volumeMode ?? '<unset>', 1),
]

/** Gated features of volumes. */
export interface VolumeFeatures extends ClaimRules {
  readonly recordsTransitions: boolean
  readonly mutableNodeAffinity: boolean
  readonly keepsGatedFields?: boolean
  readonly attributesClasses?: boolean
}

/** Clients write metadata and spec; the binder writes the status. */
export const mainStrategy = (names: StorageNames, features: VolumeFeatures) =>
  strategyForSpec<PersistentVolume>({
    // The phase is filled in by the schema default, after admission.
    newStatus: ({ status = {} }, { now, vendor }) => {
      if (vendor.level.has(newVolumesKeepStatus)) return status
      return features.recordsTransitions ? { phase: 'Pending', lastPhaseTransitionTime: timestampOf(now) } : {}
    },
    keepsGatedFields: features.keepsGatedFields ?? false,
    validate: (volume, { vendor }) =>
      validateVolume(volume, names, { ...features, checksValues: checksNodeSelectorValues(vendor.level, undefined) }),
    validateUpdate: (sent, stored, { vendor }) =>
      validateVolumeUpdate(sent, stored, names, {
        ...features,
        checksValues: checksNodeSelectorValues(vendor.level, stored.spec?.nodeAffinity?.required),
      }),
    warnings: (volume, _, { vendor }) => warningsAboutVolume(volume, names, vendor),
    metadataChecks: { change: 0, object: 2 },
  })

/** A client that changes the phase may set the time; otherwise it is now. */
const statusStrategy = (recordsTransitions: boolean) =>
  strategyForStatus<PersistentVolume>({
    prepareForUpdate(draft, stored, { now }) {
      if (!recordsTransitions || !draft.status) return
      const { phase, lastPhaseTransitionTime } = stored.status ?? {}
      if (draft.status.phase === phase) draft.status.lastPhaseTransitionTime ??= lastPhaseTransitionTime
      else if ((draft.status.lastPhaseTransitionTime ?? lastPhaseTransitionTime) === lastPhaseTransitionTime)
        draft.status.lastPhaseTransitionTime = timestampOf(now)
    },
  })

/** Defaults of a volume that is an object of its own, not inline in an attachment. */
function fillVolume({ spec }: PersistentVolume): void {
  if (spec === undefined) return
  spec.persistentVolumeReclaimPolicy ||= 'Retain'
  spec.volumeMode ??= 'Filesystem'
  roundResourceList(spec.capacity)
}

export const persistentVolumes = (names: StorageNames, features: VolumeFeatures) =>
  defineResource({
    group: '',
    kind: 'PersistentVolume',
    resource: 'persistentvolumes',
    shortNames: ['pv'],
    namespaced: false,
    versions: [{ name: 'v1', schema: PersistentVolume, defaults: fillVolume }],
    generation: false,
    strategy: mainStrategy(names, features),
    deletion: { answer: 'object' },
    subresources: { status: { kind: 'update', strategy: statusStrategy(features.recordsTransitions) } },
    columns: columns(names),
  })
