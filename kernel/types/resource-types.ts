import {
  type ConnectSubresource,
  ownValue,
  type ResourceCatalogue,
  type ResourceDefinition,
  type ResourceInfo,
} from 'orch/sdk'
import type { CatalogueChange } from 'orch/sdk/server'
import { BootError, problem } from '../contracts/boot-errors.js'
import type { Registry, ResourceContribution } from '../registry/registry.js'
import type { CollectionForm } from '../storage/versioned-store.js'
import { ResourceType } from './resource-type.js'
import { isForServer, type RuntimeConfig } from './runtime-config.js'
import { storedFormOf } from './stored-form.js'

/** The part of a path that is the same for all objects. */
export interface ResourcePath {
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
}

/** The effects of replacing live types. */
export interface TypeChange {
  /** Types that are no longer served, or no longer in this form. */
  readonly retired: readonly ResourceType[]
  /** Definitions whose names are taken by types of others, as `resource.group` or `kind.group`. */
  readonly refused: readonly string[]
}

/**
 * Every type of this server, found by URL or by kind. Types of the registry exist from boot to stop; live types are added and
 * removed at run time, always all types of an owner in one step.
 */
export class ResourceTypes implements ResourceCatalogue {
  readonly #byResource = new Map<string, ResourceType>()
  readonly #byKind = new Map<string, ResourceType>()
  readonly #byGroup = new Map<string, Set<ResourceType>>()
  readonly #live = new Map<string, readonly ResourceType[]>()
  /** How objects are stored, by collection. */
  readonly #forms = new Map<string, CollectionForm>()
  /** Collections with objects of plugins that are not loaded. */
  readonly #leftBehind = new Set<string>()
  readonly #listeners = new Set<(change: CatalogueChange) => void>()
  readonly #onListenerError: (error: unknown) => void
  readonly #runtimeConfig: RuntimeConfig
  #infos: readonly ResourceInfo[] | undefined
  #generation = 0

  constructor(registry: Registry, runtimeConfig: RuntimeConfig, onListenerError: (error: unknown) => void = () => {}) {
    this.#onListenerError = onListenerError
    this.#runtimeConfig = runtimeConfig
    for (const contribution of registry.resources) this.#add(this.compile(contribution))
    this.#findOrigins()
  }

  /** A type of a plugin, which is not served yet. */
  compile(contribution: ResourceContribution): ResourceType {
    const type = compile(contribution)
    type.serveOnly(
      version => this.#runtimeConfig.isServed(type, version),
      version => isForServer(type, version),
    )
    return type
  }

  /** Adds and removes types of plugins in one step. Objects of removed types stay stored, and their names stay reserved. */
  exchange(gone: readonly ResourceType[], added: readonly ResourceType[]): void {
    if (gone.length + added.length === 0) return
    const removed = served(gone)
    for (const type of gone) this.#remove(type)
    for (const type of added) this.#add(type)
    this.#findOrigins()
    const kept = new Set([...this.#byResource.values()].map(({ storageKey }) => storageKey))
    for (const { storageKey, definition } of gone) {
      if (kept.has(storageKey) || definition.virtual) continue
      this.#forms.delete(storageKey)
      this.leaveBehind(storageKey)
    }
    for (const { storageKey } of added) this.#leftBehind.delete(storageKey)
    this.#changed({ added: served(added), removed })
  }
  /** A type may be stored in the collection of another one. */
  #findOrigins(): void {
    for (const type of this.#byResource.values()) type.origin = this.#byResource.get(type.storageKey) ?? type
  }

  /** Incremented whenever types change: values derived from all of them can be cached for one generation. */
  get generation(): number {
    return this.#generation
  }

  /** Replaces the live types of one owner, in one step. An owner without types is forgotten. Throws before anything changes. */
  replace(owner: string, plugin: string, definitions: readonly ResourceDefinition[]): TypeChange {
    const wanted = definitions.map(definition => new ResourceType(plugin, definition))
    const retired = this.#live.get(owner) ?? []
    const removed = served(retired)
    for (const type of retired) {
      this.#remove(type)
      this.#forms.delete(type.storageKey)
    }
    const added: ResourceType[] = []
    const refused: string[] = []
    for (const type of wanted) {
      const taken = this.#takenName(type)
      if (taken === undefined) added.push(this.#addLive(type))
      else refused.push(taken)
    }
    if (added.length > 0) this.#live.set(owner, added)
    else this.#live.delete(owner)
    if (retired.length + added.length > 0) this.#changed({ added: served(added), removed })
    return { retired, refused }
  }

  /** One type for each collection of the store, served or not: the one that defines how its objects are stored. */
  stored(): ResourceType[] {
    const types = [...this.#byResource.values()].filter(type => !type.definition.virtual)
    return [...new Map(types.map(({ storageKey, origin }) => [storageKey, origin])).values()]
  }
  /** The live types of one owner. */
  describedBy(owner: string): readonly ResourceType[] {
    return this.#live.get(owner) ?? []
  }
  /** How the objects of a collection are stored. */
  formOf(storageKey: string): CollectionForm | undefined {
    return this.#forms.get(storageKey)
  }
  useForms(forms: ReadonlyMap<string, CollectionForm>): void {
    for (const [storageKey, form] of forms) this.#forms.set(storageKey, form)
  }
  /** Types with at least one served version. */
  list(): ResourceType[] {
    return [...this.#byResource.values()].filter(type => type.served.length > 0)
  }
  /** Types of a group with at least one served version. */
  ofGroup(group: string): ResourceType[] {
    return [...(this.#byGroup.get(group) ?? [])].filter(type => type.served.length > 0)
  }
  groups(): string[] {
    return [...this.#byGroup.keys()].filter(group => this.ofGroup(group).length > 0)
  }
  /** `group/version/resource` of the types that --runtime-config turns off and that plugins of this server can still use. */
  turnedOff(): string[] {
    return [...this.#byResource.values()].flatMap(type =>
      type.turnedOff.map(version => `${version.groupVersion}/${type.resource}`),
    )
  }
  get(group: string, resource: string): ResourceType | undefined {
    return this.#byResource.get(`${group}/${resource}`)
  }
  ofKind(group: string, kind: string): ResourceType | undefined {
    return this.#byKind.get(`${group}/${kind}`)
  }
  /** Is any type served in this version, `v1` or `group/v1`? */
  serves(groupVersion: string): boolean {
    const group = groupVersion.includes('/') ? groupVersion.slice(0, groupVersion.indexOf('/')) : ''
    return this.ofGroup(group).some(type => type.served.some(version => version.groupVersion === groupVersion))
  }
  /** Is the path served, with any verb? */
  isServed({ group, version, resource, subresource }: ResourcePath): boolean {
    const served = this.get(group, resource)?.servedVersion(version)
    if (!served) return false
    return subresource === '' || ownValue(served.subresources, subresource) !== undefined
  }

  /** The subresource of a path, if it connects to something outside the API: such a request may last as long as a watch. */
  connectionAt({ group, resource, subresource }: ResourcePath): ConnectSubresource | undefined {
    if (subresource === '') return undefined
    const below = ownValue(this.get(group, resource)?.definition.subresources, subresource)
    return below?.kind === 'connect' ? below : undefined
  }

  all(): readonly ResourceInfo[] {
    this.#infos ??= this.list().map(type => type.info())
    return this.#infos
  }
  find(group: string, resource: string): ResourceInfo | undefined {
    return this.get(group, resource)?.info()
  }
  findKind(group: string, kind: string): ResourceInfo | undefined {
    return this.ofKind(group, kind)?.info()
  }
  isLeftBehind(group: string, resource: string): boolean {
    return this.#leftBehind.has(`${group}/${resource}`)
  }
  /** Records that a plugin which is not loaded has stored objects in this collection. */
  leaveBehind(storageKey: string): void {
    this.#leftBehind.add(storageKey)
  }
  onChange(listener: (change: CatalogueChange) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #add(type: ResourceType): void {
    this.#byResource.set(`${type.group}/${type.resource}`, type)
    this.#byKind.set(`${type.group}/${type.kind}`, type)
    const group = this.#byGroup.get(type.group) ?? new Set()
    this.#byGroup.set(type.group, group.add(type))
  }
  /** Its source decides whether it is served: operators turn off only types of plugins. */
  #addLive(type: ResourceType): ResourceType {
    this.#add(type)
    type.isDescribed = true
    type.serveOnly(
      version => version.definition.served !== false,
      () => false,
    )
    this.#forms.set(type.storageKey, storedFormOf(type))
    return type
  }
  #remove(type: ResourceType): void {
    type.retire()
    this.#byResource.delete(`${type.group}/${type.resource}`)
    this.#byKind.delete(`${type.group}/${type.kind}`)
    const group = this.#byGroup.get(type.group)
    group?.delete(type)
    if (group?.size === 0) this.#byGroup.delete(type.group)
  }
  #takenName({ group, kind, resource }: ResourceType): string | undefined {
    if (this.get(group, resource) || this.isLeftBehind(group, resource)) return `${resource}.${group}`
    return this.ofKind(group, kind) ? `${kind}.${group}` : undefined
  }
  #changed(change: CatalogueChange): void {
    this.#generation++
    this.#infos = undefined
    for (const listener of this.#listeners) {
      try {
        listener(change)
      } catch (error) {
        this.#onListenerError(error)
      }
    }
  }
}

const served = (types: readonly ResourceType[]): ResourceInfo[] =>
  types.filter(type => type.served.length > 0).map(type => type.info())

function compile({ plugin, definition, addedBy }: ResourceContribution): ResourceType {
  try {
    return new ResourceType(plugin, definition, addedBy)
  } catch (cause) {
    throw new BootError([problem('ORCH_PLUGIN_REGISTER_FAILED', { plugin, why: String(cause) })])
  }
}
