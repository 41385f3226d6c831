import type { ApiObject } from 'orch/sdk'
import { type ResourceClient, unlessLost } from 'orch/sdk/client'
import { defineControlLoop, keyOf, splitKey, withoutConflicts } from 'orch/sdk/controllers'
import type { PersistentVolumeClaimSpec } from 'orch/sdk/core'
import { namespaceCollection } from 'orch/sdk/core'
import { claimCollection, type SimulationNames, volumeCollection } from '../names.js'

interface Claim extends ApiObject {
  spec?: PersistentVolumeClaimSpec
}
interface Volume extends ApiObject {
  spec?: Record<string, unknown> & { persistentVolumeReclaimPolicy?: string }
  status?: { phase?: string }
}
interface StorageClass extends ApiObject {
  provisioner: string
  reclaimPolicy?: string
  allowVolumeExpansion?: boolean
  volumeBindingMode?: string
}
interface VolumeWork {
  readonly names: SimulationNames
  readonly claims: ResourceClient<Claim>
  readonly volumes: ResourceClient<Volume>
}

/** The class of claims that name none, unless there is another default. */
const className = 'simulated'
const isClaimKey = (key: string) => key.includes('/')

/** Provisions volumes for claims of the simulated class, and removes them when their claims are gone. */
export const volumeLoop = (names: SimulationNames) =>
  defineControlLoop({
    name: 'simulated-volumes',
    rules: [
      { verbs: ['create', 'delete', 'get'], apiGroups: [''], resources: ['persistentvolumes'] },
      { verbs: ['create', 'patch'], apiGroups: [names.classes.group], resources: ['storageclasses'] },
    ],
    async setUp(runtime) {
      const { client } = runtime
      const classes = client.resource<StorageClass>(names.classes)
      const work: VolumeWork = {
        names,
        claims: client.resource<Claim>(claimCollection),
        volumes: client.resource<Volume>(volumeCollection),
      }
      return {
        workers: 4,
        sources: [
          { resource: claimCollection, keys: (claim: Claim) => [keyOf(claim)] },
          { resource: volumeCollection, keys: (volume: Volume) => [volume.metadata.name ?? ''] },
          { resource: names.classes, keys: () => [''] },
          // There is always a namespace, so the class is created even if there are no claims yet.
          { resource: namespaceCollection, keys: (_: ApiObject, previous?: ApiObject) => (previous ? [] : ['']) },
        ],
        reconcile: withoutConflicts(async (key, caches) => {
          const known = caches.of<StorageClass>(names.classes)
          if (key === '') return ensureClass(classes, known.list(), names)
          const { namespace, name } = splitKey(key)
          if (!isClaimKey(key)) return removeReleased(work, caches.of<Volume>(volumeCollection).get('', key))
          const claim = caches.of<Claim>(claimCollection).get(namespace, name)
          if (claim) await provide(work, claim, known.get('', claim.spec?.storageClassName ?? ''))
        }),
      }
    },
  })

/** Creates the class if it is missing. It stops being the default when there is another one, because claims must not have two. */
async function ensureClass(
  classes: ResourceClient<StorageClass>,
  known: readonly StorageClass[],
  { defaultClassAnnotation, provisioner }: SimulationNames,
): Promise<void> {
  const isDefault = ({ metadata }: StorageClass) => metadata.annotations?.[defaultClassAnnotation] === 'true'
  const own = known.find(({ metadata }) => metadata.name === className)
  const hasOther = known.some(one => one !== own && isDefault(one))
  if (own) {
    if (!hasOther || !isDefault(own)) return
    const annotations = { [defaultClassAnnotation]: 'false' }
    await unlessLost(classes.patch(className, { metadata: { annotations } }))
    return
  }
  const annotations = { [defaultClassAnnotation]: String(!hasOther) }
  await unlessLost(
    classes.create({
      metadata: { name: className, annotations },
      provisioner,
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'Immediate',
    }),
  )
}

/** Creates the volume that the binder has requested by an annotation. */
async function provide(
  { names, volumes }: VolumeWork,
  claim: Claim,
  storageClass: StorageClass | undefined,
): Promise<void> {
  const { metadata, spec } = claim
  // Anyone who can write a claim can write the annotation, too: it counts only for a class of this provisioner.
  const isAsked =
    metadata.annotations?.[names.provisionerAnnotation] === names.provisioner &&
    storageClass?.provisioner === names.provisioner
  if (!isAsked || spec?.volumeName || metadata.deletionTimestamp) return
  const { name = '', namespace = '', uid = '' } = metadata
  await unlessLost(
    volumes.create({
      metadata: { name: `pvc-${uid}`, annotations: { [names.provisionedBy]: names.provisioner } },
      spec: {
        capacity: { storage: spec?.resources?.requests?.['storage'] ?? '1Gi' },
        accessModes: spec?.accessModes ?? ['ReadWriteOnce'],
        ...(spec?.volumeMode ? { volumeMode: spec.volumeMode } : {}),
        persistentVolumeReclaimPolicy: storageClass?.reclaimPolicy ?? 'Delete',
        storageClassName: spec?.storageClassName ?? className,
        claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid },
        hostPath: { path: `/simulated/pvc-${uid}` },
      },
    }),
  )
}

async function removeReleased({ names, volumes }: VolumeWork, volume: Volume | undefined): Promise<void> {
  if (!volume || volume.metadata.deletionTimestamp) return
  const isOurs = volume.metadata.annotations?.[names.provisionedBy] === names.provisioner
  if (!isOurs || volume.status?.phase !== 'Released') return
  if (volume.spec?.persistentVolumeReclaimPolicy !== 'Delete') return
  const { name = '', uid = '' } = volume.metadata
  await unlessLost(volumes.delete(name, { preconditions: { uid } }), 'NotFound', 'Conflict')
}
