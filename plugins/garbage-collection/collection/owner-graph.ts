import type { ObjectMeta, OwnerReference } from 'orch/sdk'
import type { CollectedType, CollectedTypes } from './collected-types.js'
import { type Propagation, propagationOf } from './propagation.js'

/** How many owners are remembered that were deleted without their dependents. */
const maxReleased = 50_000

/** Which object: by place and uid. The key says the same in one text. */
export interface Identity {
  readonly key: string
  readonly type: CollectedType
  readonly namespace: string
  readonly name: string
  readonly uid: string
}

/** An object that owns, is owned, or waits for what happens to its dependents. */
export interface GraphNode extends Identity {
  /** `claimed`: only known from a reference. `present`: it was seen. `absent`: it was deleted; a uid is never reused. */
  state: 'claimed' | 'present' | 'absent'
  /** It has existed where the references say. */
  wasPresent: boolean
  isBeingDeleted: boolean
  propagation: Propagation | undefined
  /** When its propagation was first seen, in ms. */
  propagationSince: number
  /** Its owners, and whether it keeps each from going first. */
  readonly owners: Map<GraphNode, { readonly blocks: boolean }>
  /** It names owners that cannot be looked up: it is left alone as long as they cannot. */
  unknownOwners: readonly OwnerReference[]
  readonly dependents: Set<GraphNode>
}

/** The dependencies and callbacks of the graph. */
export interface GraphOptions {
  readonly types: CollectedTypes
  now(): number
  /** Something about this node is to be looked at. */
  touch(key: string): void
}

/**
 * Who owns whom. It holds objects that take part in ownership and no others: a million objects without owners cost nothing.
 *
 * An owner is known by type, namespace, name and uid together, as the reference spells them. A reference that gets one of
 * them wrong (another namespace, an old uid) therefore stands for an object of its own that turns out to be absent.
 */
export class OwnerGraph {
  readonly #nodes = new Map<string, GraphNode>()
  readonly #options: GraphOptions
  /** The uids of owners that were deleted without their dependents, the oldest first. */
  readonly #released = new Set<string>()

  constructor(options: GraphOptions) {
    this.#options = options
  }
  get size(): number {
    return this.#nodes.size
  }
  get(key: string): GraphNode | undefined {
    return this.#nodes.get(key)
  }

  /**
   * The owner is deleted without its dependents. A dependent whose watch lags behind is heard of only after that, and must not be
   * taken for one whose owner was deleted with all that it owns.
   */
  releaseDependents({ uid }: Identity): void {
    this.#released.add(uid)
    const [oldest] = this.#released
    if (this.#released.size > maxReleased && oldest !== undefined) this.#released.delete(oldest)
  }
  hasReleased({ uid }: OwnerReference): boolean {
    return this.#released.has(uid)
  }

  /** An object as it is now. */
  observe(type: CollectedType, metadata: ObjectMeta): void {
    const { namespace = '', name = '', uid = '', ownerReferences = [] } = metadata
    const propagation = propagationOf(metadata)
    const identity = identityOf(type, namespace, name, uid)
    const known = this.#nodes.get(identity.key)
    if (!known && ownerReferences.length === 0 && propagation === undefined) return
    const node = known ?? this.#add(identity)
    node.state = 'present'
    node.wasPresent = true
    node.isBeingDeleted = Boolean(metadata.deletionTimestamp)
    if (propagation !== node.propagation) this.#propagate(node, propagation)
    this.#link(node, ownerReferences)
    this.#dropUnlessNeeded(node)
  }
  /** An object is gone. */
  forget(type: CollectedType, { namespace = '', name = '', uid = '' }: ObjectMeta): void {
    const node = this.#nodes.get(identityOf(type, namespace, name, uid).key)
    if (node) this.vanish(node)
  }
  /** The object of this node does not exist, or no longer. */
  vanish(node: GraphNode): void {
    node.state = 'absent'
    node.propagation = undefined
    this.#link(node, [])
    for (const dependent of node.dependents) this.#options.touch(dependent.key)
    this.#dropUnlessNeeded(node)
  }
  /** A new listing of a type: objects that are missing in it may have been deleted during a gap, and are looked up. */
  doubtAllBut(type: CollectedType, listed: ReadonlySet<string>): void {
    for (const node of this.#nodes.values())
      if (node.type === type && node.state === 'present' && !listed.has(node.key)) {
        node.state = 'claimed'
        this.#options.touch(node.key)
      }
  }
  /** Types are known that were not: objects that name owners of such a type are looked at again, now that these can be found. */
  doubtStrangers(): void {
    for (const node of this.#nodes.values())
      if (
        node.state === 'present' &&
        node.unknownOwners.some(reference => this.identify(node.namespace, reference) !== undefined)
      ) {
        node.state = 'claimed'
        this.#options.touch(node.key)
      }
  }
  /** The first listing of a type is complete: an owner in it need not be looked for. */
  confirm(key: string): void {
    const node = this.#nodes.get(key)
    if (node?.state !== 'claimed') return
    node.state = 'present'
    node.wasPresent = true
  }
  /** The owner that a reference of an object in this namespace stands for; undefined when it cannot be looked up. */
  identify(namespace: string, { apiVersion, kind, name, uid }: OwnerReference): Identity | undefined {
    const type = this.#options.types.named(apiVersion, kind)
    // A namespaced owner of a cluster-wide object: its namespace is unknown.
    if (!type || (type.namespaced && namespace === '')) return undefined
    return identityOf(type, type.namespaced ? namespace : '', name, uid)
  }

  #add(identity: Identity): GraphNode {
    const node: GraphNode = {
      ...identity,
      state: 'claimed',
      wasPresent: false,
      isBeingDeleted: false,
      propagation: undefined,
      propagationSince: 0,
      owners: new Map(),
      unknownOwners: [],
      dependents: new Set(),
    }
    this.#nodes.set(node.key, node)
    return node
  }
  #propagate(node: GraphNode, propagation: Propagation | undefined): void {
    node.propagation = propagation
    node.propagationSince = this.#options.now()
    if (propagation === undefined) return
    this.#options.touch(node.key)
    if (propagation === 'foreground') for (const dependent of node.dependents) this.#options.touch(dependent.key)
  }
  #link(node: GraphNode, references: readonly OwnerReference[]): void {
    const before = [...node.owners.keys()]
    node.owners.clear()
    node.unknownOwners = []
    for (const reference of references) {
      const identity = this.identify(node.namespace, reference)
      if (!identity) {
        node.unknownOwners = [...node.unknownOwners, reference]
        continue
      }
      const owner = this.#nodes.get(identity.key) ?? this.#add(identity)
      node.owners.set(owner, { blocks: reference.blockOwnerDeletion === true })
      owner.dependents.add(node)
      if (owner.state === 'claimed') this.#options.touch(owner.key)
      if (owner.state === 'absent' || owner.propagation === 'foreground') this.#options.touch(node.key)
    }
    for (const owner of before) {
      if (!node.owners.has(owner)) owner.dependents.delete(node)
      // It may have waited for this one.
      if (owner.propagation === 'foreground') this.#options.touch(owner.key)
      this.#dropUnlessNeeded(owner)
    }
  }
  #dropUnlessNeeded(node: GraphNode): void {
    const isNeeded =
      node.dependents.size > 0 ||
      node.owners.size > 0 ||
      node.unknownOwners.length > 0 ||
      node.propagation !== undefined
    if (!isNeeded) this.#nodes.delete(node.key)
  }
}

/** Names and uids of stored objects contain no slash, so two objects never share a key. */
export const identityOf = (type: CollectedType, namespace: string, name: string, uid: string): Identity => ({
  key: `${type.group}/${type.resource}/${namespace}/${name}/${uid}`,
  type,
  namespace,
  name,
  uid,
})
