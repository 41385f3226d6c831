import type { ApiObject, FieldError, ResourceDefinition, ResourceInfo, Verb, VersionDefinition } from 'orch/sdk'
import { allVerbs } from 'orch/sdk'
import { compileDefaults } from '../schema/apply-defaults.js'
import { compileValidator } from '../schema/compile-validator.js'
import { compileDecoder, type Decoder } from '../schema/decode.js'
import { once } from '../schema/once.js'
import { compileSettle } from '../schema/settle.js'
import { buildTypeModel, type StructNode } from '../schema/type-model.js'

/** A version of a type, ready to serve: everything derived from its schema once, at boot. */
export interface CompiledVersion {
  readonly name: string
  /** `v1`, or `group/v1`. */
  readonly groupVersion: string
  readonly definition: VersionDefinition
  readonly model: StructNode
  readonly decode: Decoder
  /** Static defaults, then computed ones. */
  readonly fillDefaults: (object: ApiObject) => void
  /** Gives an object the form it is stored in: empty values as the schema has them. */
  readonly settle: (object: ApiObject) => void
  /** Value constraints of the schema; undefined when it has none. */
  readonly checkConstraints: ((object: unknown) => FieldError[]) | undefined
  readonly isStorage: boolean
  /** `{"kind":"X","apiVersion":"v1",` */
  readonly jsonStart: Buffer
}

/** A registered type at work. */
export class ResourceType {
  readonly definition: ResourceDefinition
  readonly plugin: string
  readonly group: string
  readonly resource: string
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs: readonly Verb[]
  /** Under which group and resource objects are stored: two types that share one are two views of the same objects. */
  readonly storageKey: string
  /** Start of every key of this type. */
  readonly keyPrefix: string
  readonly storage: CompiledVersion
  readonly #versions = new Map<string, CompiledVersion>()
  #served: readonly CompiledVersion[] = []

  constructor(plugin: string, definition: ResourceDefinition) {
    this.definition = definition
    this.plugin = plugin
    this.group = definition.group
    this.resource = definition.resource
    this.kind = definition.kind
    this.namespaced = definition.namespaced
    this.verbs = definition.virtual ? ['create'] : (definition.verbs ?? allVerbs)
    const { group, resource } = definition.storedAs ?? definition
    this.storageKey = `${group}/${resource}`
    this.keyPrefix = `${this.storageKey}/`
    const storage = definition.versions.find(version => version.storage) ?? definition.versions[0]
    if (!storage) throw new Error(`${definition.kind} has no version`)
    for (const version of definition.versions) {
      this.#versions.set(version.name, compileVersion(definition, version, version === storage))
    }
    this.storage = this.#versions.get(storage.name)!
    this.#served = [...this.#versions.values()]
  }

  /** Every version that is served, in order of preference. */
  get served(): readonly CompiledVersion[] {
    return this.#served
  }
  /** Leaves only some versions served: --runtime-config and the defaults for alpha versions. */
  serveOnly(isServed: (version: CompiledVersion) => boolean): void {
    this.#served = [...this.#versions.values()].filter(isServed)
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

  toStorage(object: ApiObject, from: CompiledVersion): ApiObject {
    if (from === this.storage || !from.definition.toStorage) return object
    return from.definition.toStorage(object as never) as ApiObject
  }
  fromStorage(object: ApiObject, to: CompiledVersion): ApiObject {
    if (to === this.storage || !to.definition.fromStorage) return object
    return to.definition.fromStorage(object as never) as ApiObject
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
      subresources: Object.keys(this.definition.subresources ?? {}),
    }
  }
}

export const groupVersionOf = (group: string, version: string) => (group === '' ? version : `${group}/${version}`)

/** What is derived from a schema is derived when it is first needed: a server knows many types and starts with few of them. */
function compileVersion(
  definition: ResourceDefinition,
  version: VersionDefinition,
  isStorage: boolean,
): CompiledVersion {
  const groupVersion = groupVersionOf(definition.group, version.name)
  const computed = version.defaults as ((object: ApiObject) => void) | undefined
  const model = once(() => {
    const built = buildTypeModel(version.schema)
    if (built.is !== 'struct') throw new Error(`the schema of ${definition.kind} ${version.name} is not an object`)
    return built
  })
  const decode = once(() => compileDecoder(model()))
  const staticDefaults = once(() => compileDefaults(model()))
  const settle = once(() => compileSettle(model()))
  const constraints = once(() => compileValidator(model()) as CompiledVersion['checkConstraints'])
  if (version.schema['type'] !== 'object') model()
  return {
    name: version.name,
    groupVersion,
    definition: version,
    get model() {
      return model()
    },
    get decode() {
      return decode()
    },
    fillDefaults: object => {
      staticDefaults()?.(object)
      computed?.(object)
    },
    settle: object => settle()(object),
    get checkConstraints() {
      return constraints()
    },
    isStorage,
    jsonStart: Buffer.from(`{"kind":${JSON.stringify(definition.kind)},"apiVersion":${JSON.stringify(groupVersion)},`),
  }
}
