import { ApiError, type Cache } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { keyOf } from 'orch/sdk/controllers'
import { isNodeSelected, type NodeSelector } from 'orch/sdk/core'
import type { SimulationNames } from '../names.js'
import type { NodeState } from '../scheduling/cluster.js'
import type { PodFacts } from '../scheduling/pod-facts.js'
import { allocate, type Offer } from './allocate.js'
import {
  type AllocatedDevice,
  type Allocation,
  alternativesOf,
  type DeviceClaimLike,
  type DeviceClassLike,
  type DevicePlace,
  deviceKey,
  type RequestLike,
  type SliceLike,
  type WantedDevices,
} from './objects.js'
import type { DeviceSelectors } from './selectors.js'

export interface DeviceCaches {
  readonly claims: Cache<DeviceClaimLike>
  readonly classes: Cache<DeviceClassLike>
  readonly slices: Cache<SliceLike>
}
/** The allocation for the claims of a Pod on a node, unless they are allocated already. */
export type DevicePlan = readonly { readonly claim: DeviceClaimLike; readonly allocation?: Allocation }[]
/** How the device claims of a Pod limit the choice of its node. */
export interface DeviceNeeds {
  /** Why the Pod cannot be scheduled on any node. */
  readonly problem?: string
  /** The devices on this node; undefined if there are not enough. */
  planOn(node: NodeState): DevicePlan | undefined
}
export const noDevices: DeviceNeeds = { planOn: () => [] }

const maxReservations = 256

/** Allocates devices to the claims of Pods. */
export class Devices {
  readonly #caches: DeviceCaches
  readonly #selectors: DeviceSelectors
  readonly #client: Client
  readonly #names: SimulationNames
  /** Allocations by claim key, until the caches have them. */
  readonly #planned = new Map<string, readonly string[]>()

  constructor(caches: DeviceCaches, selectors: DeviceSelectors, client: Client, names: SimulationNames) {
    this.#caches = caches
    this.#selectors = selectors
    this.#client = client
    this.#names = names
  }

  /** Must be called before `needsOf`, which is synchronous. */
  async prepare(pod: PodFacts): Promise<void> {
    const found = this.#claimsOf(pod)
    if (typeof found === 'string') return
    const wanted = found.flatMap(({ spec }) => spec.devices?.requests ?? []).flatMap(wantedOf)
    const selectors = wanted.flatMap(each => [
      ...(each.selectors ?? []),
      ...(this.#classOf(each)?.spec?.selectors ?? []),
    ])
    await this.#selectors.prepare(selectors.flatMap(({ cel }) => cel?.expression ?? []))
  }

  needsOf(pod: PodFacts): DeviceNeeds {
    if ((pod.pod.spec.resourceClaims ?? []).length === 0) return noDevices
    const claims = this.#claimsOf(pod)
    if (typeof claims === 'string') return { problem: claims, planOn: () => undefined }
    const taken = this.#takenKeys()
    const offers = this.#offers()
    const isChosen = this.#chooser()
    const open = claims.filter(({ status }) => !status?.allocation)
    return {
      planOn: node => {
        for (const { status } of claims) {
          const selector = status?.allocation?.nodeSelector
          if (selector && !isAt({ nodeSelector: selector }, node)) return undefined
        }
        const here = offers.filter(({ place }) => isAt(place, node))
        const results = allocate(open, {
          offers: here,
          isTaken: key => taken.has(key),
          isChosen,
        })
        if (!results) return undefined
        const given = open.map((claim, i) => ({
          claim,
          allocation: this.#allocation(claim, results[i] ?? [], here, node),
        }))
        return [...given, ...claims.filter(({ status }) => status?.allocation).map(claim => ({ claim }))]
      },
    }
  }

  /** Reserves these devices. */
  take(plan: DevicePlan): void {
    for (const { claim, allocation } of plan)
      if (allocation) this.#planned.set(keyOf(claim), allocation.devices.results.flatMap(takenKey))
  }
  release(plan: DevicePlan): void {
    for (const { claim } of plan) this.#planned.delete(keyOf(claim))
  }

  /** Writes the allocations and reservations to the claims. */
  async allocate({ pod }: PodFacts, plan: DevicePlan): Promise<void> {
    const { name = '', uid = '' } = pod.metadata
    const { deviceClaims, deviceProtection } = this.#names
    for (const { claim, allocation } of plan) {
      const { reservedFor = [] } = claim.status ?? {}
      if (!allocation && reservedFor.some(each => each.uid === uid)) continue
      const collection = this.#client.resource<DeviceClaimLike>(deviceClaims).in(claim.metadata.namespace ?? '')
      const { finalizers = [] } = claim.metadata
      try {
        // The finalizer keeps an allocated claim until it is no longer reserved.
        const kept = finalizers.includes(deviceProtection)
          ? claim
          : await collection.update({
              ...claim,
              metadata: { ...claim.metadata, finalizers: [...finalizers, deviceProtection] },
            })
        const user = { resource: 'pods', name, uid }
        const status = { ...claim.status, ...(allocation ? { allocation } : {}), reservedFor: [...reservedFor, user] }
        await collection.updateSubresource('status', { ...kept, status })
      } catch (error) {
        // The claim changed rather than the Pod, so scheduling is retried.
        if (error instanceof ApiError && (error.code === 404 || error.code === 409))
          throw new Error(`the claim ${keyOf(claim)} has changed`, { cause: error })
        throw error
      }
    }
  }

  /** The claims of a Pod, or the reason why they are not available yet. */
  #claimsOf({ pod, namespace }: PodFacts): DeviceClaimLike[] | string {
    const claims: DeviceClaimLike[] = []
    const created = new Map((pod.status?.resourceClaimStatuses ?? []).map(each => [each.name, each]))
    for (const each of pod.spec.resourceClaims ?? []) {
      const made = created.get(each.name)
      // The status says explicitly that the Pod needs no claim.
      if (each.resourceClaimName === undefined && made && made.resourceClaimName === undefined) continue
      const claimName = each.resourceClaimName ?? made?.resourceClaimName
      if (claimName === undefined) return 'waiting for resource claims to be created'
      const claim = this.#caches.claims.get(namespace, claimName)
      if (!claim) return `resourceclaim "${claimName}" not found`
      if (claim.metadata.deletionTimestamp) return `resourceclaim "${claimName}" is being deleted`
      const { reservedFor = [] } = claim.status ?? {}
      const isOwn = reservedFor.some(({ uid }) => uid === pod.metadata.uid)
      if (!isOwn && reservedFor.length >= maxReservations) return `resourceclaim "${claimName}" in use`
      const missing = (claim.spec.devices?.requests ?? [])
        .flatMap(wantedOf)
        .find(wanted => !claim.status?.allocation && !this.#classOf(wanted))
      if (missing) return `device class ${missing.deviceClassName} does not exist`
      claims.push(claim)
    }
    return claims
  }

  #classOf({ deviceClassName }: WantedDevices): DeviceClassLike | undefined {
    return this.#caches.classes.get('', deviceClassName)
  }
  /** Evaluates expressions once per device, however many nodes can use it. */
  #chooser(): (offer: Offer, wanted: WantedDevices) => boolean {
    const known = new Map<WantedDevices, Map<Offer, boolean>>()
    return (offer, wanted) => {
      const ofWanted = known.get(wanted) ?? new Map<Offer, boolean>()
      known.set(wanted, ofWanted)
      const isChosen = ofWanted.get(offer) ?? this.#isChosen(offer, wanted)
      ofWanted.set(offer, isChosen)
      return isChosen
    }
  }
  #isChosen({ driver, device }: Offer, wanted: WantedDevices): boolean {
    const selectors = [...(this.#classOf(wanted)?.spec?.selectors ?? []), ...(wanted.selectors ?? [])]
    return selectors.every(({ cel }) => cel === undefined || this.#selectors.matches(cel.expression, driver, device))
  }

  #takenKeys(): Set<string> {
    const taken = new Set<string>()
    for (const { status } of this.#caches.claims.list())
      for (const result of status?.allocation?.devices.results ?? []) for (const key of takenKey(result)) taken.add(key)
    for (const [claimKey, keys] of this.#planned) {
      const slash = claimKey.indexOf('/')
      const claim = this.#caches.claims.get(claimKey.slice(0, slash), claimKey.slice(slash + 1))
      if (!claim || claim.status?.allocation) this.#planned.delete(claimKey)
      else for (const key of keys) taken.add(key)
    }
    return taken
  }

  /** The devices of all complete pools, each with its location. */
  #offers(): (Offer & { readonly place: DevicePlace })[] {
    const pools = new Map<string, SliceLike[]>()
    for (const slice of this.#caches.slices.list()) {
      const { driver, pool } = slice.spec
      const id = `${driver}/${pool.name}`
      const known = pools.get(id) ?? []
      const generation = known[0]?.spec.pool.generation ?? pool.generation
      if (pool.generation < generation) continue
      if (pool.generation > generation) known.length = 0
      known.push(slice)
      pools.set(id, known)
    }
    return [...pools.values()]
      .filter(slices => slices.length === slices[0]?.spec.pool.resourceSliceCount)
      .flat()
      .flatMap(({ spec }) =>
        (spec.devices ?? []).map(device => ({
          driver: spec.driver,
          pool: spec.pool.name,
          device,
          place: spec.perDeviceNodeSelection ? device : spec,
        })),
      )
  }

  #allocation(
    { spec: { devices } }: DeviceClaimLike,
    results: readonly AllocatedDevice[],
    offers: readonly (Offer & { readonly place: DevicePlace })[],
    node: NodeState,
  ): Allocation {
    const keys = new Set(results.map(({ driver, pool, device }) => deviceKey(driver, pool, device)))
    const places = offers.flatMap(({ driver, pool, device, place }) =>
      keys.has(deviceKey(driver, pool, device.name)) ? [place] : [],
    )
    const ofClasses = results.flatMap(({ request }) => {
      const wanted = (devices?.requests ?? []).flatMap(alternativesOf).find(([label]) => label === request)?.[1]
      const { config = [] } = (wanted && this.#classOf(wanted)?.spec) ?? {}
      return config.map(each => ({ ...each, source: 'FromClass', requests: [request] }))
    })
    const config = [
      ...new Map(ofClasses.map(each => [JSON.stringify(each), each])).values(),
      ...(devices?.config ?? []).map(each => ({ ...each, source: 'FromClaim' })),
    ]
    const nodeSelector = selectorOf(places, node)
    return {
      devices: { results, ...(config.length > 0 ? { config } : {}) },
      ...(nodeSelector ? { nodeSelector } : {}),
    }
  }
}

const wantedOf = (request: RequestLike): WantedDevices[] => alternativesOf(request).map(([, wanted]) => wanted)

/** Admin access does not reserve the device. */
const takenKey = ({ driver, pool, device, adminAccess }: AllocatedDevice): string[] =>
  adminAccess ? [] : [deviceKey(driver, pool, device)]

function isAt({ nodeName, nodeSelector, allNodes }: DevicePlace, { name, node }: NodeState): boolean {
  if (allNodes || nodeName === name) return true
  return node !== undefined && (nodeSelector?.nodeSelectorTerms ?? []).some(term => isNodeSelected(term, node))
}

/** The nodes that have access to all of the devices; undefined for all nodes. */
function selectorOf(places: readonly DevicePlace[], { name }: NodeState): NodeSelector | undefined {
  if (places.some(({ nodeName }) => nodeName))
    return { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] }] }
  const terms = places.flatMap(({ nodeSelector }) => nodeSelector?.nodeSelectorTerms[0] ?? [])
  if (terms.length === 0) return undefined
  const all = <T>(lists: readonly (readonly T[] | undefined)[]): T[] => [
    ...new Map(lists.flatMap(list => list ?? []).map(each => [JSON.stringify(each), each])).values(),
  ]
  const matchExpressions = all(terms.map(term => term.matchExpressions))
  const matchFields = all(terms.map(term => term.matchFields))
  const term = {
    ...(matchExpressions.length > 0 ? { matchExpressions } : {}),
    ...(matchFields.length > 0 ? { matchFields } : {}),
  }
  return { nodeSelectorTerms: [term] }
}
