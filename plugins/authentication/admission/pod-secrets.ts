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
export const secretsOf = (pod: Pod): SecretUse[] => [
  ...limitedSecretsOf(pod),
  ...(pod.spec.volumes ?? []).flatMap(ofProjections),
]

/** Those of them that an account can limit: it cannot limit projected ones. */
export const limitedSecretsOf = (pod: Pod): SecretUse[] => [
  ...(pod.spec.volumes ?? []).flatMap(ofVolume),
  ...[...(pod.spec.initContainers ?? []), ...(pod.spec.containers ?? [])].flatMap(ofContainer),
  ...debuggingSecretsOf(pod),
]

/** Secrets in the environment of the ephemeral containers of a Pod. */
export const debuggingSecretsOf = ({ spec }: Pod): SecretUse[] => (spec.ephemeralContainers ?? []).flatMap(ofContainer)

/** Whether a volume of the Pod passes a Secret to a storage driver. */
export const hasDriverSecret = ({ spec }: Pod): boolean =>
  (spec.volumes ?? []).some(
    ({ azureFile, cephfs, cinder, csi, flexVolume, iscsi, rbd, scaleIO, storageos }) =>
      azureFile !== undefined ||
      csi?.nodePublishSecretRef !== undefined ||
      [cephfs, cinder, flexVolume, iscsi, rbd, scaleIO, storageos].some(source => source?.secretRef !== undefined),
  )

const ofVolume = ({ name, secret }: Volume): SecretUse[] =>
  secret ? [{ name: secret.secretName ?? '', where: `volume "${name}"` }] : []

const ofProjections = ({ name: volume, projected }: Volume): SecretUse[] =>
  (projected?.sources ?? []).flatMap(({ secret }) =>
    secret ? [{ name: secret.name ?? '', where: `volume "${volume}"` }] : [],
  )

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
