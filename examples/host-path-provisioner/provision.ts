import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError } from 'orch/sdk'
import type { Context } from './context.js'
import type { Claim, StorageClass, Volume } from './objects.js'

/** Creates a folder and a volume for a claim of this provisioner. */
export async function provision(claim: Claim, context: Context): Promise<void> {
  const { names, provisioner, root, volumes, events } = context
  const isRequested = claim.metadata.annotations?.[names.provisioner] === provisioner
  if (!isRequested || claim.spec.volumeName || claim.metadata.deletionTimestamp) return
  const storageClass = context.findClass(claim.spec.storageClassName ?? '')
  if (storageClass?.provisioner !== provisioner) return
  const node = claim.metadata.annotations?.[names.selectedNode]
  if (storageClass.volumeBindingMode === 'WaitForFirstConsumer' && node === undefined) return

  if (claim.spec.volumeMode === 'Block' || claim.spec.dataSource) {
    const why = 'only empty volumes with a file system are supported'
    return events.record(claim, 'Warning', 'ProvisioningFailed', why)
  }
  // The name is derived from the claim, so that a retry cannot create a second volume.
  const name = `pvc-${claim.metadata.uid}`
  const path = join(root, name)
  await mkdir(path, { recursive: true, mode: 0o770 })
  try {
    await volumes.create(volumeFor(claim, storageClass, { name, path, node }, context))
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === 'AlreadyExists')) throw error
  }
  await events.record(claim, 'Normal', 'ProvisioningSucceeded', `Successfully provisioned volume ${name}`)
}

function volumeFor(
  { metadata, spec }: Claim,
  storageClass: StorageClass,
  made: { name: string; path: string; node: string | undefined },
  { names, provisioner }: Context,
): Volume {
  const { namespace = '', name = '', uid = '' } = metadata
  const onNode = {
    required: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: names.hostname, operator: 'In', values: [made.node ?? ''] }] }],
    },
  }
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: made.name, annotations: { [names.provisionedBy]: provisioner } },
    spec: {
      capacity: { storage: spec.resources?.requests?.['storage'] ?? '0' },
      accessModes: spec.accessModes ?? [],
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
      storageClassName: spec.storageClassName ?? '',
      ...(storageClass.mountOptions ? { mountOptions: storageClass.mountOptions } : {}),
      hostPath: { path: made.path, type: 'DirectoryOrCreate' },
      // With the uid: another claim of the same name must not get this data.
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid },
      ...(made.node === undefined ? {} : { nodeAffinity: onNode }),
    },
  }
}
