import type { StoreReader } from 'orch/sdk'
import type { PersistentVolumeClaim, PersistentVolumeSource, Pod, Volume } from 'orch/sdk/core'

interface CSIDriver {
  readonly spec?: { readonly tokenRequests?: readonly { readonly audience?: string }[] }
}
interface Sources {
  readonly reader: StoreReader
  readonly storageGroup: string
}

/** Storage drivers that have replaced kinds of volumes. */
const successors = {
  awsElasticBlockStore: 'ebs.csi.aws.com',
  azureDisk: 'disk.csi.azure.com',
  azureFile: 'file.csi.azure.com',
  cinder: 'cinder.csi.openstack.org',
  gcePersistentDisk: 'pd.csi.storage.gke.io',
  portworxVolume: 'pxd.portworx.com',
  vsphereVolume: 'csi.vsphere.vmware.com',
}

/**
 * Whether a Pod needs tokens for this audience: for a projected volume, or for the driver of a volume. Returns what
 * kept this from being found out.
 */
export async function isAudienceOfPod(audience: string, pod: Pod, sources: Sources): Promise<boolean | string> {
  let problem: string | undefined
  for (const volume of pod.spec.volumes ?? []) {
    const projected = volume.projected?.sources ?? []
    if (projected.some(({ serviceAccountToken: token }) => token && (token.audience ?? '') === audience)) return true
    try {
      if (await isAudienceOfDriver(audience, await driverOf(volume, pod, sources), sources)) return true
    } catch (error) {
      problem ??= error instanceof Error ? error.message : String(error)
    }
  }
  return problem ?? false
}

async function isAudienceOfDriver(audience: string, name: string | undefined, { reader, storageGroup }: Sources) {
  if (!name) return false
  const driver = await found<CSIDriver>(reader, storageGroup, 'csidrivers', '', name)
  return (driver.spec?.tokenRequests ?? []).some(request => (request.audience ?? '') === audience)
}

/** The storage driver of a volume; undefined for a volume without one. */
async function driverOf(volume: Volume, { metadata }: Pod, { reader }: Sources): Promise<string | undefined> {
  const claim = volume.ephemeral ? `${metadata?.name}-${volume.name}` : volume.persistentVolumeClaim?.claimName
  if (claim === undefined) return volume.csi?.driver ?? successorOf(volume)
  const { spec } = await found<PersistentVolumeClaim>(
    reader,
    '',
    'persistentvolumeclaims',
    metadata?.namespace ?? '',
    claim,
  )
  const stored = await found<{ readonly spec?: PersistentVolumeSource }>(
    reader,
    '',
    'persistentvolumes',
    '',
    spec?.volumeName ?? '',
  )
  return stored.spec?.csi?.driver ?? successorOf(stored.spec ?? {})
}

const successorOf = (source: object): string | undefined =>
  Object.entries(successors).find(([kind]) => Object.hasOwn(source, kind))?.[1]

/** Reads an object that must exist. */
async function found<T extends object>(
  reader: StoreReader,
  group: string,
  resource: string,
  namespace: string,
  name: string,
): Promise<T> {
  const object = await reader.get<T>({ group, resource }, namespace, name)
  if (!object) throw new Error(`${resource} "${name}" not found`)
  return object
}
