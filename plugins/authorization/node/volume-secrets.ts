import type { PersistentVolumeSpec } from 'orch/sdk/core'
import type { Reference } from './reference.js'

interface SecretName {
  readonly name?: string
  readonly namespace?: string
}

/** The secrets a node needs to mount a persistent volume. Those only a controller needs are not among them. */
export function volumeSecrets(spec: PersistentVolumeSpec): Reference[] {
  // Older volumes leave the namespace out; the one of the claim was meant.
  const claimNamespace = spec.claimRef?.namespace ?? ''
  const { azureFile, cephfs, cinder, csi, flexVolume, iscsi, rbd, scaleIO, storageos } = spec
  const refer = (secret: SecretName | null | undefined, fallback: string): Reference[] => {
    const namespace = secret?.namespace || fallback
    return secret?.name && namespace ? [{ resource: 'secrets', namespace, name: secret.name }] : []
  }
  return [
    ...(azureFile
      ? refer({ name: azureFile.secretName, namespace: azureFile.secretNamespace ?? undefined }, claimNamespace)
      : []),
    ...[cephfs, flexVolume, iscsi, rbd, scaleIO].flatMap(source => refer(source?.secretRef, claimNamespace)),
    ...[cinder, storageos].flatMap(source => refer(source?.secretRef, '')),
    ...refer(csi?.nodePublishSecretRef, ''),
    ...refer(csi?.nodeStageSecretRef, ''),
  ]
}
