import type { Pod, Volume } from 'orch/sdk/core'

/** A Secret that a Pod uses, and where. */
export interface SecretUse {
  readonly name: string
  /** For a message: `volume "v"`, `container "c" env "E"`. */
  readonly where: string
}

interface SecretReader {
  readonly name: string
  readonly env?: readonly {
    readonly name: string
    readonly valueFrom?: { readonly secretKeyRef?: { name?: string } }
  }[]
  readonly envFrom?: readonly { readonly secretRef?: { name?: string } }[]
}

/** Secrets that a Pod uses as files or in the environment of its containers. */
export function secretsOf({ spec }: Pod): SecretUse[] {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])]
  return [...(spec.volumes ?? []).flatMap(ofVolume), ...containers.flatMap(one => ofContainer(one as SecretReader))]
}

/** Whether a volume of the Pod passes a Secret to a storage driver. */
export const hasDriverSecret = ({ spec }: Pod): boolean =>
  (spec.volumes ?? []).some(
    ({ azureFile, cephfs, cinder, csi, flexVolume, iscsi, rbd, scaleIO, storageos }) =>
      azureFile !== undefined ||
      csi?.nodePublishSecretRef !== undefined ||
      [cephfs, cinder, flexVolume, iscsi, rbd, scaleIO, storageos].some(source => source?.secretRef !== undefined),
  )

function ofVolume({ name: volume, secret, projected }: Volume): SecretUse[] {
  const where = `volume "${volume}"`
  const projections = (projected?.sources ?? []).flatMap(source => (source.secret ? [source.secret.name] : []))
  return [...(secret ? [secret.secretName] : []), ...projections].map((name = '') => ({ name, where }))
}

function ofContainer({ name: container, env = [], envFrom = [] }: SecretReader): SecretUse[] {
  const variables = env.flatMap(({ name, valueFrom }) =>
    valueFrom?.secretKeyRef
      ? [{ name: valueFrom.secretKeyRef.name ?? '', where: `container "${container}" env "${name}"` }]
      : [],
  )
  const sources = envFrom.flatMap(({ secretRef }) =>
    secretRef ? [{ name: secretRef.name ?? '', where: `container "${container}" envFrom` }] : [],
  )
  return [...variables, ...sources]
}
