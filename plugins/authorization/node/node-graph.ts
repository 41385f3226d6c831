import type { ObjectMeta } from 'orch/sdk'
import { type PersistentVolumeSpec, type Pod, podReferences } from 'orch/sdk/core'
import type { Reference } from './reference.js'

interface SecretName {
  readonly name?: string
  readonly namespace?: string
}

/** The secrets a node needs to mount a persistent volume. Those only a controller needs are not among them. */
function volumeSecrets(spec: PersistentVolumeSpec): Reference[] {
  // Older volumes leave the namespace out; that of the claim applies.
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

/** What the graph needs to know of a persistent volume and of a volume attachment. */
export interface VolumeObject {
  readonly metadata?: ObjectMeta
  readonly spec?: PersistentVolumeSpec
}
export interface AttachmentObject {
  readonly metadata?: ObjectMeta
  readonly spec: { readonly nodeName: string }
}

const keyOf = ({ resource, namespace, name }: Reference): string => `${resource}/${namespace}/${name}`

/** Reference-counted links: a link is removed with the last reference. */
class Links {
  readonly #counts = new Map<string, Map<string, number>>()

  change(from: string, to: string, by: 1 | -1): void {
    const targets = this.#counts.get(from) ?? new Map<string, number>()
    const count = (targets.get(to) ?? 0) + by
    if (count > 0) targets.set(to, count)
    else targets.delete(to)
    if (targets.size > 0) this.#counts.set(from, targets)
    else this.#counts.delete(from)
  }
  has(from: string, to: string): boolean {
    return this.#counts.get(from)?.has(to) === true
  }
  targets(from: string): Iterable<string> {
    return this.#counts.get(from)?.keys() ?? []
  }
}

/**
 * Which node needs which object. An object is linked to a node by a Pod; a secret also by a volume whose claim a Pod
 * uses:
 *
 *   secret farm/milk ── Pod ──────────────────────────▶ node n1
 *   secret keys/disk ── volume v1 ── claim farm/data ── Pod ──▶ node n1
 */
export class NodeGraph {
  readonly #mirrorPodAnnotation: string
  /** Reference → node, through Pods. */
  readonly #nodes = new Links()
  /** Secret → volume, volume → claim. */
  readonly #volumes = new Links()
  readonly #claims = new Links()
  readonly #attachments = new Links()
  readonly #pods = new Links()

  constructor(mirrorPodAnnotation: string) {
    this.#mirrorPodAnnotation = mirrorPodAnnotation
  }

  /** False while links may still be missing. */
  get isReady(): boolean {
    return true
  }
  async ready(): Promise<void> {}

  changePod(pod: Pod | undefined, by: 1 | -1): void {
    const nodeName = pod?.spec?.nodeName
    if (!pod || !nodeName) return
    const { name = '', namespace = '' } = pod.metadata ?? {}
    this.#pods.change(`${namespace}/${name}`, nodeName, by)
    // A node creates mirror Pods itself: they must never grant it access.
    if (Object.hasOwn(pod.metadata?.annotations ?? {}, this.#mirrorPodAnnotation)) return
    for (const reference of podReferences(pod)) this.#nodes.change(keyOf(reference), nodeName, by)
  }

  changeVolume(volume: VolumeObject | undefined, by: 1 | -1): void {
    const claim = volume?.spec?.claimRef
    if (!volume?.spec || !claim?.name) return
    const key = keyOf({ resource: 'persistentvolumes', namespace: '', name: volume.metadata?.name ?? '' })
    const claimKey = keyOf({ resource: 'persistentvolumeclaims', namespace: claim.namespace ?? '', name: claim.name })
    this.#claims.change(key, claimKey, by)
    for (const secret of volumeSecrets(volume.spec)) this.#volumes.change(keyOf(secret), key, by)
  }

  changeAttachment(attachment: AttachmentObject | undefined, by: 1 | -1): void {
    if (attachment) this.#attachments.change(attachment.metadata?.name ?? '', attachment.spec.nodeName, by)
  }

  /** Does something that runs on the node need this object? */
  isNeededOn(nodeName: string, reference: Reference): boolean {
    const key = keyOf(reference)
    if (this.#nodes.has(key, nodeName) || this.#volumeIsUsedOn(nodeName, key)) return true
    for (const volume of this.#volumes.targets(key)) if (this.#volumeIsUsedOn(nodeName, volume)) return true
    return false
  }

  runsOn(nodeName: string, namespace: string, podName: string): boolean {
    return this.#pods.has(`${namespace}/${podName}`, nodeName)
  }

  isAttachedTo(nodeName: string, attachmentName: string): boolean {
    return this.#attachments.has(attachmentName, nodeName)
  }

  #volumeIsUsedOn(nodeName: string, volumeKey: string): boolean {
    for (const claim of this.#claims.targets(volumeKey)) if (this.#nodes.has(claim, nodeName)) return true
    return false
  }
}
