import type { Pod } from './pod.js'
import type { Volume } from './volume.js'

/** An object that a Pod needs. */
export interface PodReference {
  readonly resource: 'secrets' | 'configmaps' | 'persistentvolumeclaims' | 'serviceaccounts'
  readonly namespace: string
  readonly name: string
}

/** Everything a Pod needs to run, in its own namespace. */
export function podReferences({ metadata, spec }: Pod): PodReference[] {
  const namespace = metadata?.namespace ?? ''
  const found: PodReference[] = []
  const refer = (resource: PodReference['resource'], name: string | null | undefined) => {
    if (name) found.push({ resource, namespace, name })
  }
  refer('serviceaccounts', spec?.serviceAccountName)
  for (const secret of spec?.imagePullSecrets ?? []) refer('secrets', secret.name)
  const containers = [spec?.initContainers, spec?.containers, spec?.ephemeralContainers]
  for (const { envFrom, env } of containers.flatMap(list => list ?? [])) {
    for (const source of envFrom ?? []) {
      refer('secrets', source.secretRef?.name)
      refer('configmaps', source.configMapRef?.name)
    }
    for (const { valueFrom } of env ?? []) {
      refer('secrets', valueFrom?.secretKeyRef?.name)
      refer('configmaps', valueFrom?.configMapKeyRef?.name)
    }
  }
  for (const volume of spec?.volumes ?? []) {
    for (const name of secretsOf(volume)) refer('secrets', name)
    for (const name of configMapsOf(volume)) refer('configmaps', name)
    refer('persistentvolumeclaims', volume.persistentVolumeClaim?.claimName)
    // The claim of an ephemeral volume is made for this Pod and named after both.
    if (volume.ephemeral) refer('persistentvolumeclaims', `${metadata?.name}-${volume.name}`)
  }
  return found
}

function secretsOf(volume: Volume): (string | undefined)[] {
  const { cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos } = volume
  return [
    volume.secret?.secretName,
    volume.azureFile?.secretName,
    volume.csi?.nodePublishSecretRef?.name,
    ...[cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos].map(source => source?.secretRef?.name),
    ...(volume.projected?.sources ?? []).map(source => source.secret?.name),
  ]
}

const configMapsOf = (volume: Volume): (string | undefined)[] => [
  volume.configMap?.name,
  ...(volume.projected?.sources ?? []).map(source => source.configMap?.name),
]
