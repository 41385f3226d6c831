import { defineAdmission, reject } from 'orch/sdk'
import type { NodeSelectorRequirement } from 'orch/sdk/core'
import type { StorageNames } from '../names.js'
import type { StorageOptions } from '../options.js'
import type { PersistentVolume } from '../persistent-volumes/schema.js'

/** Disks that exist in one zone of a cloud. */
const zonedSources = ['awsElasticBlockStore', 'gcePersistentDisk', 'azureDisk', 'cinder', 'vsphereVolume'] as const
/** A disk that exists in several zones names them all, joined like this. */
const zoneSeparator = '__'

/** Labels new volumes with their region and zone, and restricts them to nodes there. */
export const persistentVolumeLabel = (names: StorageNames, options: StorageOptions) =>
  defineAdmission<PersistentVolume>()({
    name: 'PersistentVolumeLabel',
    after: ['ExtendedResourceToleration'],
    until: '1.30',
    phase: 'mutate',
    sideEffects: 'none',
    enabledByDefault: false,
    matches: { group: '', resource: 'persistentvolumes', operations: ['create'] },
    review({ object }) {
      const labels = provisionedLabels(object, names)
      if (labels) return applyTopology(object, labels)
      const isZoned = zonedSources.some(source => object.spec?.[source] !== undefined)
      if (!isZoned) return
      const known = configuredLabels(names, options)
      if (Object.keys(known).length === 0) return reject('the region and zone of the disk are unknown')
      return applyTopology(object, known)
    },
  })

type Labels = Readonly<Record<string, string>>

/** Only the labels of a provisioned volume are trusted, because its provisioner set them. */
function provisionedLabels({ metadata }: PersistentVolume, names: StorageNames): Labels | undefined {
  if (metadata?.annotations?.[names.provisionedBy] === undefined) return undefined
  for (const { zone, region } of names.topologyLabels) {
    const labels = { [zone]: metadata.labels?.[zone], [region]: metadata.labels?.[region] }
    if (Object.values(labels).every(value => value !== undefined)) return labels as Labels
  }
  return undefined
}

function configuredLabels({ topologyLabels }: StorageNames, { volumeZone, volumeRegion }: StorageOptions): Labels {
  const [newest] = topologyLabels
  if (!newest) return {}
  return {
    ...(volumeZone === '' ? {} : { [newest.zone]: volumeZone }),
    ...(volumeRegion === '' ? {} : { [newest.region]: volumeRegion }),
  }
}

function applyTopology(volume: PersistentVolume, labels: Labels): void {
  volume.metadata = { ...volume.metadata, labels: { ...volume.metadata?.labels, ...labels } }
  const requirements: NodeSelectorRequirement[] = Object.entries(labels).map(([key, value]) => ({
    key,
    operator: 'In',
    values: value.split(zoneSeparator),
  }))
  const given = volume.spec?.nodeAffinity?.required?.nodeSelectorTerms ?? []
  const terms = given.length > 0 ? given : [{}]
  // Terms that mention these keys are kept as the user wrote them.
  const isSpecified = terms.some(({ matchExpressions = [] }) =>
    matchExpressions.some(({ key }) => Object.hasOwn(labels, key)),
  )
  if (isSpecified) return
  const nodeSelectorTerms = terms.map(term => ({
    ...term,
    matchExpressions: [...(term.matchExpressions ?? []), ...requirements],
  }))
  volume.spec = { ...volume.spec, nodeAffinity: { required: { nodeSelectorTerms } } }
}
