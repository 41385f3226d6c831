import { ApiError, type OwnerReference, type Vendor } from 'orch/sdk'
import type { ResourceClient } from 'orch/sdk/client'
import { controllerReference, type EventRecorder } from 'orch/sdk/controllers'
import { claimRetention, controlledClaims } from '../../differences.js'
import { claimsOfOrdinal, isWanted, ordinalOf, type StoredClaim, type StoredPod, type StoredSet } from './set-pods.js'

export interface ClaimWork {
  readonly vendor: Vendor
  readonly events: EventRecorder
  readonly claims: ResourceClient<StoredClaim>
  /** Looks a claim up, in the cache where claims are watched. */
  findClaim(namespace: string, name: string): StoredClaim | undefined | Promise<StoredClaim | undefined>
}

/** Creates the missing claims of an ordinal. Fails while one of them is being deleted. */
export async function addClaims(work: ClaimWork, set: StoredSet, ordinal: number): Promise<void> {
  const { namespace = '', name: setName } = set.metadata
  for (const claim of claimsOfOrdinal(set, ordinal)) {
    const { name = '' } = claim.metadata
    const found = await work.findClaim(namespace, name)
    if (found?.metadata.deletionTimestamp) throw new Error(`claim ${name} is being deleted`)
    if (found) continue
    const text = `create Claim ${name} Pod ${setName}-${ordinal} in StatefulSet ${setName}`
    try {
      await work.claims.in(namespace).create(claim)
      void work.events.record(set, 'Normal', 'SuccessfulCreate', `${text} success`)
    } catch (error) {
      // The cache is stale.
      if (error instanceof ApiError && error.reason === 'AlreadyExists') continue
      void work.events.record(set, 'Warning', 'FailedCreate', `${text} failed error: ${(error as Error).message}`)
      throw error
    }
  }
}

/** Whether a claim is about to be deleted with an earlier Pod of this ordinal: the new Pod must not use it. */
export async function hasStaleClaim(work: ClaimWork, set: StoredSet, ordinal: number): Promise<boolean> {
  if (!work.vendor.level.has(claimRetention) || retentionOf(set).whenScaled === 'Retain') return false
  const podName = `${set.metadata.name}-${ordinal}`
  for (const claim of claimsOfOrdinal(set, ordinal)) {
    const found = await work.findClaim(set.metadata.namespace ?? '', claim.metadata.name ?? '')
    if (found?.metadata.ownerReferences?.some(owner => isPodReference(owner, podName))) return true
  }
  return false
}

/** Sets the owner references of the claims of a Pod as the retention policy requires. */
export async function syncClaimOwners(work: ClaimWork, set: StoredSet, pod: StoredPod): Promise<void> {
  const ordinal = ordinalOf(pod, set)
  if (!work.vendor.level.has(claimRetention) || ordinal === undefined) return
  for (const { metadata } of claimsOfOrdinal(set, ordinal)) {
    const claim = await work.findClaim(set.metadata.namespace ?? '', metadata.name ?? '')
    if (!claim) continue
    const owners = new ClaimOwners(claim, set, pod, work.vendor)
    if (owners.hasOtherController)
      void work.events.record(
        set,
        'Warning',
        'ConflictingController',
        `PersistentVolumeClaim ${metadata.name} has another controller: its retention policy is ignored`,
      )
    if (owners.areCorrect) continue
    const ownerReferences = owners.wanted()
    await work.claims.update({ ...claim, metadata: { ...claim.metadata, ownerReferences } })
  }
}

const retentionOf = ({ spec }: StoredSet) => {
  const { whenDeleted = 'Retain', whenScaled = 'Retain' } = spec?.persistentVolumeClaimRetentionPolicy ?? {}
  return { whenDeleted, whenScaled }
}

const isPodReference = ({ apiVersion, kind, name }: OwnerReference, podName: string | undefined) =>
  apiVersion === 'v1' && kind === 'Pod' && name === podName
const isSetReference = ({ apiVersion, kind, name }: OwnerReference, set: StoredSet) =>
  apiVersion === 'apps/v1' && kind === 'StatefulSet' && name === set.metadata.name

/** The actual owners of a claim of a Pod, and those required by the retention policy of its set. */
class ClaimOwners {
  readonly #owners: readonly OwnerReference[]
  readonly #set: StoredSet
  readonly #pod: StoredPod
  readonly #controls: boolean
  constructor(claim: StoredClaim, set: StoredSet, pod: StoredPod, { level }: Vendor) {
    this.#owners = claim.metadata.ownerReferences ?? []
    this.#set = set
    this.#pod = pod
    this.#controls = level.has(controlledClaims)
  }

  /** With a policy other than Retain, only the set and its Pod may control the claim. */
  get hasOtherController(): boolean {
    const { whenDeleted, whenScaled } = retentionOf(this.#set)
    if (!this.#controls || (whenDeleted === 'Retain' && whenScaled === 'Retain')) return false
    return this.#owners.some(owner => {
      if (this.#isOurs(owner)) return this.#isStale(owner)
      return owner.controller === true
    })
  }

  get areCorrect(): boolean {
    // The owner is a deleted object of the same name: the garbage collector will delete the claim.
    if (this.#owners.some(owner => this.#isOurs(owner) && this.#isStale(owner))) return true
    const hasSet = this.#has(this.#set)
    const hasPod = this.#has(this.#pod)
    if (this.hasOtherController) return !hasSet && !hasPod
    if (this.#controls && this.#owners.some(owner => this.#isOurs(owner) && !owner.controller)) return false
    const { set, pod } = this.#wanted()
    return hasSet === set && hasPod === pod
  }

  wanted(): OwnerReference[] {
    const others = this.#owners.filter(owner => !this.#isOurs(owner))
    if (this.hasOtherController) return others
    const { set, pod } = this.#wanted()
    return [...others, ...(set ? [this.#reference(this.#set)] : []), ...(pod ? [this.#reference(this.#pod)] : [])]
  }

  /** If both policies are Delete, the set owns the claims of desired Pods, and a surplus Pod owns its own. */
  #wanted(): { set: boolean; pod: boolean } {
    const { whenDeleted, whenScaled } = retentionOf(this.#set)
    const isDesired = isWanted(ordinalOf(this.#pod, this.#set) ?? -1, this.#set)
    const pod = whenScaled === 'Delete' && !isDesired
    return { pod, set: whenDeleted === 'Delete' && !pod }
  }

  #reference(owner: StoredSet | StoredPod): OwnerReference {
    const reference = controllerReference(owner)
    if (this.#controls) return reference
    const { controller: _, blockOwnerDeletion: __, ...plain } = reference
    return plain
  }
  #has({ metadata }: StoredSet | StoredPod): boolean {
    return this.#owners.some(({ uid }) => uid === metadata.uid)
  }
  #isOurs(owner: OwnerReference): boolean {
    return isSetReference(owner, this.#set) || isPodReference(owner, this.#pod.metadata.name)
  }
  #isStale({ kind, uid }: OwnerReference): boolean {
    return uid !== (kind === 'Pod' ? this.#pod : this.#set).metadata.uid
  }
}
