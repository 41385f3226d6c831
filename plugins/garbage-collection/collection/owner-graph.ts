import type { ObjectMeta, OwnerReference } from 'orch/sdk'
import type { CollectedType, CollectedTypes } from './collected-types.js'
import { type Propagation, propagationOf } from './propagation.js'

/** The number of orphaning owners that are remembered. */
const maxReleased = 50_000

/** The identity of an object by type, namespace, name and uid; `key` combines them. */
export interface Identity {
  readonly key: string
  readonly type: CollectedType
  readonly namespace: string
  readonly name: string
  readonly uid: string
}

/** An object that has owners or dependents, or waits for its dependents to be processed. */
export interface GraphNode extends Identity {
  /** `claimed`: only known from a reference. `present`: it was observed. `absent`: it was deleted; a uid is never reused. */
  state: 'claimed' | 'present' | 'absent'
  /** Whether it was ever observed. */
  wasPresent: boolean
  isBeingDeleted: boolean
  propagation: Propagation | undefined
  /** When its propagation was first seen, in ms. */
  propagationSince: number
  /** Its owners, and whether it blocks the deletion of each. */
  readonly owners: Map<GraphNode, { readonly blocks: boolean }>
  /** Owners that cannot be looked up: the object is kept as long as there are any. */
  unknownOwners: readonly OwnerReference[]
  readonly dependents: Set<GraphNode>
}

/** The dependencies and callbacks of the graph. */
export interface GraphOptions {
  readonly types: CollectedTypes
  now(): number
  /** Enqueues a node. */
  touch(key: string): void
}

/**
 * The ownership graph. It contains only objects with owners or dependents: a million objects without cost nothing.
 *
 * An owner is identified by type, namespace, name and uid together, as in the reference. A reference with one of
 * them wrong (another namespace, a stale uid) therefore refers to a separate object that turns out to be absent.
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
   * The owner is deleted without its dependents. The event of a dependent may arrive only after that, because of a lagging watch,
   * and the dependent must not be collected then.
   */
  releaseDependents({ uid }: Identity): void {
    this.#released.add(uid)
    const [oldest] = this.#released
    if (this.#released.size > maxReleased && oldest !== undefined) this.#released.delete(oldest)
  }
  hasReleased({ uid }: OwnerReference): boolean {
    return this.#released.has(uid)
  }

  /** Updates the graph with the current state of an object. */
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
  /** An object was deleted. */
  forget(type: CollectedType, { namespace = '', name = '', uid = '' }: ObjectMeta): void {
    const node = this.#nodes.get(identityOf(type, namespace, name, uid).key)
    if (node) this.vanish(node)
  }
  /** The object of this node does not exist. */
  vanish(node: GraphNode): void {
    node.state = 'absent'
    node.propagation = undefined
    this.#link(node, [])
    for (const dependent of node.dependents) this.#options.touch(dependent.key)
    this.#dropUnlessNeeded(node)
  }
  /** A new listing of a type: objects that are missing in it may have been deleted during a gap, and are looked up. */
  recheckAllBut(type: CollectedType, listed: ReadonlySet<string>): void {
    for (const node of this.#nodes.values())
      if (node.type === type && node.state === 'present' && !listed.has(node.key)) {
        node.state = 'claimed'
        this.#options.touch(node.key)
      }
  }
  /** New types are known: objects with owners of such a type are checked again. */
  recheckUnknownOwners(): void {
    for (const node of this.#nodes.values())
      if (
        node.state === 'present' &&
        node.unknownOwners.some(reference => this.identify(node.namespace, reference) !== undefined)
      ) {
        node.state = 'claimed'
        this.#options.touch(node.key)
      }
  }
  /** The first listing of a type is complete: an owner in it need not be looked up. */
  confirm(key: string): void {
    const node = this.#nodes.get(key)
    if (node?.state !== 'claimed') return
    node.state = 'present'
    node.wasPresent = true
  }
  /** Resolves a reference of an object in this namespace; undefined if it cannot be looked up. */
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
      // The owner may have waited for this node.
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

export const keyPrefixOf = ({ group, resource }: CollectedType): string => `${group}/${resource}/`
/** Names and uids of stored objects contain no slash, so two objects never share a key. */
export const identityOf = (type: CollectedType, namespace: string, name: string, uid: string): Identity => ({
  key: `${keyPrefixOf(type)}${namespace}/${name}/${uid}`,
  type,
  namespace,
  name,
  uid,
})
