import { ownValue, type ResourceCatalogue, type ResourceInfo } from 'orch/sdk'
import { BootError, problem } from '../boot/boot-errors.js'
import type { Registry } from '../registry/registry.js'
import { ResourceType } from './resource-type.js'
import type { RuntimeConfig } from './runtime-config.js'

/** What a path names, as far as it is the same for all objects. */
export interface ResourcePath {
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
}

/** Every type this server knows, found by URL or by kind. Built once, after the registry is sealed. */
export class ResourceTypes implements ResourceCatalogue {
  readonly #byResource = new Map<string, ResourceType>()
  readonly #byKind = new Map<string, ResourceType>()
  readonly #infos: ResourceInfo[]

  constructor(registry: Registry, runtimeConfig: RuntimeConfig) {
    for (const { plugin, definition } of registry.resources) {
      const type = compile(plugin, definition)
      type.serveOnly(version => runtimeConfig.isServed(type, version))
      this.#byResource.set(`${type.group}/${type.resource}`, type)
      this.#byKind.set(`${type.group}/${type.kind}`, type)
    }
    this.#infos = this.list().map(type => type.info())
  }

  /** Types with at least one served version. */
  list(): ResourceType[] {
    return [...this.#byResource.values()].filter(type => type.served.length > 0)
  }
  get(group: string, resource: string): ResourceType | undefined {
    return this.#byResource.get(`${group}/${resource}`)
  }
  ofKind(group: string, kind: string): ResourceType | undefined {
    return this.#byKind.get(`${group}/${kind}`)
  }
  /** Does a path lead to something, whatever may be done there? */
  isServed({ group, version, resource, subresource }: ResourcePath): boolean {
    const type = this.get(group, resource)
    if (!type?.servedVersion(version)) return false
    return subresource === '' || ownValue(type.definition.subresources, subresource) !== undefined
  }

  all(): readonly ResourceInfo[] {
    return this.#infos
  }
  find(group: string, resource: string): ResourceInfo | undefined {
    return this.get(group, resource)?.info()
  }
  findKind(group: string, kind: string): ResourceInfo | undefined {
    return this.ofKind(group, kind)?.info()
  }
}

function compile(plugin: string, definition: ConstructorParameters<typeof ResourceType>[1]): ResourceType {
  try {
    return new ResourceType(plugin, definition)
  } catch (cause) {
    throw new BootError([problem('ORCH_PLUGIN_REGISTER_FAILED', { plugin, why: String(cause) })])
  }
}
