import { type ApiObject, ownValue, type ResourceDefinition, type ResourceInfo, type VersionDefinition } from 'orch/sdk'
import { allVerbs, type Verb, type VirtualDefinition } from 'orch/sdk/host'
import type { ConvertObjects } from 'orch/sdk/server'
import { copyJson } from '../../libs/json/index.js'
import type { Derivable } from '../schema/derive.js'
import { type CompiledVersion, compileVersion } from './compiled-version.js'
import { type Conventions, conventionsOf } from './conventions.js'

/** The verbs of a type whose objects are not stored. */
export const verbsOfVirtual = ({ list }: VirtualDefinition): readonly Verb[] => (list ? ['get', 'list'] : ['create'])

/** A registered type at work. */
export class ResourceType implements Derivable {
  derived?: Map<unknown, unknown>
  readonly definition: ResourceDefinition
  readonly plugin: string
  /** The kind of its lists. */
  readonly listKind: string
  readonly group: string
  readonly resource: string
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs: readonly Verb[]
  /** The group and resource under which objects are stored: types that share it are views of the same objects. */
  readonly storageKey: string
  /** Start of every key of this type. */
  readonly keyPrefix: string
  readonly storage: CompiledVersion
  readonly conventions: Conventions
  /** Fields whose change increments the generation of the object; none if the type has no generations. */
  get generationFields(): readonly string[] {
    return (this.#generationFields ??= generationFieldsOf(this.definition, this.storage.definition))
  }
  /** The type that defines how these objects are stored: this one, or the one that it is a view of. */
  origin: ResourceType = this
  /** Is it described by an object of a type source, and not by a plugin? */
  isDescribed = false
  /** Other plugins, by the subresource that they added. */
  readonly #addedBy: Readonly<Record<string, string>>
  readonly #versions = new Map<string, CompiledVersion>()
  #served: readonly CompiledVersion[] = []
  readonly #storedOf = new WeakMap<ApiObject, ApiObject>()
  #forServer: readonly CompiledVersion[] = []
  #generationFields: readonly string[] | undefined
  #isRetired = false

  constructor(plugin: string, definition: ResourceDefinition, addedBy: Readonly<Record<string, string>> = {}) {
    this.#addedBy = addedBy
    this.definition = definition
    this.plugin = plugin
    this.conventions = conventionsOf(definition)
    this.group = definition.group
    this.resource = definition.resource
    this.kind = definition.kind
    this.listKind = definition.listKind ?? `${definition.kind}List`
    this.namespaced = definition.namespaced
    this.verbs = definition.virtual ? verbsOfVirtual(definition.virtual) : (definition.verbs ?? allVerbs)
    const { group, resource } = definition.storedAs ?? definition
    this.storageKey = `${group}/${resource}`
    this.keyPrefix = `${this.storageKey}/`
    const storage = definition.versions.find(version => version.storage) ?? definition.versions[0]
    if (!storage) throw new Error(`${definition.kind} has no version`)
    for (const version of definition.versions) {
      this.#versions.set(version.name, compileVersion(definition, version, version === storage, storage))
    }
    this.storage = this.#versions.get(storage.name)!
    this.#served = [...this.#versions.values()]
    this.#forServer = this.#served
  }

  /** Was it removed from the catalogue, or replaced in it? */
  get isRetired(): boolean {
    return this.#isRetired
  }
  retire(): void {
    this.#isRetired = true
  }

  get countsGenerations(): boolean {
    return this.generationFields.length > 0
  }

  /** Every version that is served, in order of preference. */
  get served(): readonly CompiledVersion[] {
    return this.#served
  }
  /** Restricts the served versions: by --runtime-config and the defaults for alpha versions. */
  serveOnly(isServed: (version: CompiledVersion) => boolean, isForServer: (version: CompiledVersion) => boolean): void {
    const all = [...this.#versions.values()]
    this.#served = all.filter(isServed)
    this.#forServer = all.filter(version => isServed(version) || isForServer(version))
  }
  /** Versions that are hidden from clients but available to the plugins of this server. */
  get turnedOff(): readonly CompiledVersion[] {
    return this.#forServer.filter(version => !this.#served.includes(version) && version.definition.served !== 'never')
  }
  versionForServer(name: string): CompiledVersion | undefined {
    return this.#forServer.find(version => version.name === name)
  }
  servedVersion(name: string): CompiledVersion | undefined {
    return this.#served.find(version => version.name === name)
  }
  /** Any version that can be decoded, served or not. */
  version(name: string): CompiledVersion | undefined {
    return this.#versions.get(name)
  }
  versionOf(groupVersion: string): CompiledVersion | undefined {
    return [...this.#versions.values()].find(version => version.groupVersion === groupVersion)
  }

  key(namespace: string, name: string): string {
    return this.namespaced ? `${this.keyPrefix}${namespace}/${name}` : this.keyPrefix + name
  }
  /** Prefix of the keys of a collection; an empty namespace means all of them. */
  collectionPrefix(namespace: string): string {
    return this.namespaced && namespace !== '' ? `${this.keyPrefix}${namespace}/` : this.keyPrefix
  }

  /** Must contents stay out of logs and messages? A subresource may be sensitive where the object is not. */
  isSensitive(subresource: string): boolean {
    const { sensitive = false } = this.definition
    if (sensitive || subresource === '') return sensitive
    for (const { subresources } of this.#versions.values()) {
      const below = ownValue(subresources, subresource)
      if (below?.kind === 'action' && below.sensitive) return true
    }
    return false
  }

  toStorage(object: ApiObject, from: CompiledVersion): ApiObject {
    if (from === this.storage || !from.definition.toStorage) return object
    return from.definition.toStorage(object as never) as ApiObject
  }
  fromStorage(object: ApiObject, to: CompiledVersion): ApiObject {
    if (this.isStoredForm(to)) return object
    const converted = to.definition.fromStorage!(object as never) as ApiObject
    this.#storedOf.set(converted, object)
    return converted
  }
  /** The stored form of an object: what it was converted from if that is known, because converting back may lose an order or a repeated value. */
  storedFormOf(object: ApiObject, version: CompiledVersion): ApiObject {
    if (version === this.storage) return object
    return this.#storedOf.get(object) ?? this.toStorage(copyJson(object), version)
  }
  /** Do objects of this version have the same fields as stored ones? */
  isStoredForm(version: CompiledVersion): boolean {
    return version === this.storage || !version.definition.fromStorage
  }

  /** The plugin that implements a subresource. */
  pluginOf(subresource: string): string {
    return ownValue(this.#addedBy, subresource) ?? this.plugin
  }
  /** The version that a request is processed in, by the one that it was sent in. */
  workingVersion(requested: CompiledVersion): CompiledVersion {
    return this.definition.conversion === undefined ? this.storage : requested
  }
  /** Converts stored objects to a version; a promise if they are converted externally. */
  inVersion(stored: readonly ApiObject[], to: CompiledVersion): readonly ApiObject[] | Promise<readonly ApiObject[]> {
    const { conversion } = this.definition
    if (typeof conversion === 'function') return this.#convertExternally(conversion, stored, to)
    // Defaults of a version are filled in when an object is written, not when it is read through another version.
    if (conversion === 'none' && !to.isStoredAsIs) return stored.map(object => decodedBy(to, object))
    return stored.map(object => this.fromStorage(object, to))
  }
  /** The object that a request works on, from the stored one: of the storage version, unless the type converts otherwise. */
  toWorking(stored: ApiObject, version: CompiledVersion): ApiObject | Promise<ApiObject> {
    const { conversion } = this.definition
    if (typeof conversion !== 'function') return stored
    return this.#convertExternally(conversion, [stored], version).then(([object]) => object!)
  }
  /** The stored object, from the one that a request worked on. */
  fromWorking(object: ApiObject, version: CompiledVersion): ApiObject | Promise<ApiObject> {
    const { conversion } = this.definition
    if (conversion === undefined || version.isStorage) return object
    if (conversion === 'none') return this.#asStored(object)
    return conversion([object], version.name, this.storage.name).then(([converted]) => this.#asStored(converted!))
  }
  /** The storage version may have fewer fields, or other defaults. */
  #asStored(object: ApiObject): ApiObject {
    const shaped = this.storage.decode(object) as ApiObject
    this.storage.fillDefaults(shaped)
    return shaped
  }
  /** Objects that are converted externally have the version they are stored in as `apiVersion`; those just written do not. */
  async #convertExternally(convert: ConvertObjects, stored: readonly ApiObject[], to: CompiledVersion) {
    const shown: ApiObject[] = []
    const byVersion = new Map<string, number[]>()
    for (const [index, { apiVersion = this.storage.name, ...object }] of stored.entries()) {
      shown.push(object as ApiObject)
      if (apiVersion === to.name) continue
      const known = byVersion.get(apiVersion)
      if (known) known.push(index)
      else byVersion.set(apiVersion, [index])
    }
    for (const [from, indexes] of byVersion) {
      const objects = indexes.map(index => shown[index]!)
      const converted = await convert(objects, from, to.name)
      if (converted.length !== objects.length)
        throw new Error(`the conversion of ${objects.length} objects returned ${converted.length}`)
      for (const [position, index] of indexes.entries()) shown[index] = converted[position]!
    }
    return shown
  }

  info(): ResourceInfo {
    return {
      group: this.group,
      kind: this.kind,
      resource: this.resource,
      namespaced: this.namespaced,
      virtual: this.definition.virtual !== undefined,
      verbs: this.verbs,
      version: this.#served[0]?.name ?? this.storage.name,
      servedVersions: this.#served.map(version => version.name),
      subresources: Object.keys((this.#served[0] ?? this.storage).subresources),
      isDescribed: this.isDescribed,
    }
  }
}

/** The object under the schema of a version: unknown fields are pruned and defaults are filled in. */
export const shapedBy = (version: CompiledVersion, object: ApiObject): ApiObject =>
  decodedBy(version, object, known => version.fillDefaults(known))

/** Unknown fields are pruned. */
function decodedBy(version: CompiledVersion, object: ApiObject, complete: (known: ApiObject) => void = () => {}) {
  const { resourceVersion } = object.metadata
  const known = version.decode(object) as ApiObject
  complete(known)
  const { resourceVersion: _, ...meta } = known.metadata
  return { ...known, metadata: { resourceVersion, ...meta } as ApiObject['metadata'] }
}

function generationFieldsOf(
  { generation, virtual }: ResourceDefinition,
  { schema }: VersionDefinition,
): readonly string[] {
  if (virtual || generation === false) return []
  return generation ?? (schema['properties']?.spec ? ['spec'] : [])
}
