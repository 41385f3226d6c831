import type { CacheChange, ResourceCatalogue } from 'orch/sdk'
import type { ApiDelegation, DelegatedDiscovery, GroupVersions } from 'orch/sdk/server'
import { compareApiVersions } from 'orch/sdk/validation'
import { builtInPriorities, dynamicPriorities, type Priorities } from '../api-services/priorities.js'
import { type APIService, apiServiceName, availableOf } from '../api-services/schema.js'
import type { AggregationNames } from '../names.js'
import { ServedVersions } from '../served-versions.js'
import { ExtensionServer, type ProxyParts } from './extension-server.js'

interface Entry {
  readonly apiService: APIService
  readonly server: ExtensionServer | undefined
}

type Discovered = Pick<DelegatedDiscovery, 'resources' | 'listed'>

/** Evaluates APIServices: which server serves which version, and the order of groups and versions in discovery. */
export class Delegation implements ApiDelegation {
  readonly #parts: ProxyParts
  readonly #names: AggregationNames
  /** `group/version` of everything that plugins serve, for the whole lifetime of the server. */
  readonly builtIn: ReadonlySet<string>
  readonly #byName = new Map<string, Entry>()
  /** Extension servers by group and version. */
  readonly #servers = new Map<string, Map<string, ExtensionServer>>()
  /** OpenAPI documents by name of the APIService. */
  readonly #v2 = new Map<string, object>()
  readonly #v3 = new Map<string, object>()
  /** The discovered resources of extension servers, by name of the APIService. */
  readonly #discovered = new Map<string, Discovered>()
  readonly #listeners = new Set<() => void>()
  generation = 0

  constructor(parts: ProxyParts, names: AggregationNames, resources: ResourceCatalogue) {
    this.#parts = parts
    this.#names = names
    this.builtIn = new Set([...new ServedVersions(resources.all())].map(({ group, version }) => `${group}/${version}`))
  }

  delegateOf(group: string, version: string): ExtensionServer | undefined {
    return this.#servers.get(group)?.get(version)
  }
  get hasDelegates(): boolean {
    return this.#servers.size > 0
  }
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
  /** Every extension server with the APIService that names it. */
  *servers(): Iterable<Entry & { readonly server: ExtensionServer }> {
    for (const { apiService, server } of this.#byName.values()) if (server) yield { apiService, server }
  }

  /** Handles an APIService that was added, changed or removed. */
  readonly changed = ({ type, object }: CacheChange<APIService>): void => {
    const name = object.metadata.name ?? ''
    const before = this.#byName.get(name)
    const isSame = before && JSON.stringify(before.apiService.spec) === JSON.stringify(object.spec)
    if (type === 'deleted') this.#remove(name)
    else if (isSame) {
      const isAvailable = availableOf(object)?.status === 'True'
      const wasAvailable = before.server?.isAvailable
      if (before.server) before.server.isAvailable = isAvailable
      this.#byName.set(name, { apiService: object, server: before.server })
      if (before.server && isAvailable !== wasAvailable) {
        // The freshness of discovered resources has changed.
        this.generation++
        this.#notify()
      }
      return
    } else {
      this.#remove(name)
      this.#add(name, object)
    }
    this.generation++
    if (before?.server || this.#byName.get(name)?.server) this.#notify()
  }

  #add(name: string, apiService: APIService): void {
    const { service, group = '', version = '' } = apiService.spec
    const server = service && group !== this.#names.group ? new ExtensionServer(this.#parts, apiService) : undefined
    this.#byName.set(name, { apiService, server })
    if (!server) return
    const versions = this.#servers.get(group) ?? new Map<string, ExtensionServer>()
    this.#servers.set(group, versions.set(version, server))
  }
  #remove(name: string): void {
    const { apiService, server } = this.#byName.get(name) ?? {}
    this.#byName.delete(name)
    this.#v2.delete(name)
    this.#v3.delete(name)
    this.#discovered.delete(name)
    if (!apiService || !server) return
    const { group = '', version = '' } = apiService.spec
    this.#servers.get(group)?.delete(version)
    if (this.#servers.get(group)?.size === 0) this.#servers.delete(group)
    server.close()
  }

  groups(own: readonly GroupVersions[]): readonly GroupVersions[] {
    const all = new Map<string, Map<string, Priorities>>()
    const add = (group: string, version: string, priorities: Priorities) =>
      all.set(group, (all.get(group) ?? new Map<string, Priorities>()).set(version, priorities))
    for (const { group, versions } of own)
      for (const version of versions) {
        const priorities = this.#prioritiesOfOwn(group, version)
        if (priorities) add(group, version, priorities)
      }
    for (const { apiService } of this.#byName.values()) {
      const { group = '', version = '' } = apiService.spec
      if (group !== '') add(group, version, apiService.spec)
    }
    const rank = (versions: ReadonlyMap<string, Priorities>) =>
      [...versions.values()].reduce((most, { groupPriorityMinimum }) => Math.max(most, groupPriorityMinimum), 0)
    return [...all]
      .sort(([left, a], [right, b]) => rank(b) - rank(a) || (left < right ? -1 : 1))
      .map(([group, versions]) => ({ group, versions: inOrder(versions) }))
  }

  /** Undefined for a version that an operator removed from discovery by deleting its APIService. */
  #prioritiesOfOwn(group: string, version: string): Priorities | undefined {
    // As in Kubernetes, the version of this plugin itself has no APIService and always comes first.
    if (group === this.#names.group) return { groupPriorityMinimum: Number.POSITIVE_INFINITY, versionPriority: 1 }
    const known = this.#byName.get(apiServiceName(group, version))?.apiService.spec
    if (known) return known
    if (!this.builtIn.has(`${group}/${version}`)) return dynamicPriorities
    return this.#isRegistered() ? undefined : builtInPriorities(this.#names)(group, version)
  }
  #isRegistered(): boolean {
    for (const { apiService } of this.#byName.values())
      if (apiService.metadata.labels?.[this.#names.managedLabel] !== undefined) return true
    return false
  }

  discoveryOf(group: string, version: string): DelegatedDiscovery | undefined {
    const server = this.delegateOf(group, version)
    if (!server) return undefined
    const known = this.#discovered.get(apiServiceName(group, version))
    return { ...known, isFresh: known !== undefined && server.isAvailable }
  }
  /** Stores the discovered resources of an extension server. */
  setDiscovered(name: string, discovered: Discovered): void {
    if (!this.#byName.has(name)) return
    if (JSON.stringify(discovered) === JSON.stringify(this.#discovered.get(name))) return
    this.#discovered.set(name, discovered)
    this.generation++
  }

  openApiV2(): readonly object[] {
    return [...this.#v2.values()]
  }
  openApiV3(): ReadonlyMap<string, object> {
    return new Map([...this.#v3].map(([name, document]) => [this.#pathOf(name), document]))
  }
  #pathOf(name: string): string {
    const { group = '', version = '' } = this.#byName.get(name)?.apiService.spec ?? {}
    return `apis/${group}/${version}`
  }
  /** Stores an OpenAPI document of an extension server; undefined if it has none. */
  setDocument(name: string, version: 'v2' | 'v3', document: object | undefined): void {
    const documents = version === 'v2' ? this.#v2 : this.#v3
    if (!this.#byName.has(name) || JSON.stringify(document) === JSON.stringify(documents.get(name))) return
    if (document) documents.set(name, document)
    else documents.delete(name)
    this.generation++
  }

  close(): void {
    for (const { server } of this.#byName.values()) server?.close()
  }
}

function inOrder(versions: ReadonlyMap<string, Priorities>): string[] {
  return [...versions]
    .sort(([left, a], [right, b]) => b.versionPriority - a.versionPriority || compareApiVersions(left, right))
    .map(([version]) => version)
}
