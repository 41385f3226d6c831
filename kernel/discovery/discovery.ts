import { createHash } from 'node:crypto'
import { defineDifference, type ServedLevel, type SubresourceDefinition } from 'orch/sdk'
import type { UpdateSubresource } from 'orch/sdk/host'
import type { ApiDelegation, GroupVersions, ListedResource } from 'orch/sdk/server'
import { compareApiVersions } from 'orch/sdk/validation'
import { derive } from '../schema/derive.js'
import { isPatchable } from '../types/action-type.js'
import { type CompiledVersion, groupVersionOf } from '../types/compiled-version.js'
import type { ResourceType } from '../types/resource-type.js'
import type { ResourceTypes } from '../types/resource-types.js'

/** The discovery documents. Each is created on request and cached until types change. */
export class Discovery {
  readonly #types: ResourceTypes
  readonly #hasSingulars: boolean
  readonly #made = new Map<string, object>()
  readonly #delegation: ApiDelegation | undefined
  #madeFor = ''
  #groupVersions: readonly GroupVersions[] | undefined

  constructor(types: ResourceTypes, level: ServedLevel, delegation?: ApiDelegation) {
    this.#types = types
    this.#hasSingulars = level.has(hasSingularNames)
    this.#delegation = delegation
  }

  /** The document at a discovery path (`/api`, `/apis`, `/apis/<group>`, `/api/v1`, `/apis/<group>/<version>`). */
  document(path: string, serverAddress: string): object | undefined {
    this.#forgetOld()
    const steps = path.split('/').filter(step => step !== '')
    const [root, first] = steps
    // The address is unknown until the server listens, but its own loops read the document earlier.
    if (root === 'api' && first === undefined) return this.#coreVersions(serverAddress)
    // One document for all spellings of its path, and none for unknown paths, since both are unlimited.
    const id = steps.join('/')
    const document = this.#made.get(id) ?? this.#make(steps)
    if (document) this.#made.set(id, document)
    return document
  }
  /** Changes whenever some document does. */
  get generation(): string {
    return `${this.#types.generation} ${this.#delegation?.generation ?? 0}`
  }
  #forgetOld(): void {
    const current = this.generation
    if (this.#madeFor === current) return
    this.#made.clear()
    this.#groupVersions = undefined
    this.#madeFor = current
  }
  #make([root, first, second, ...rest]: readonly string[]): object | undefined {
    if (rest.length > 0) return undefined
    if (root === 'api' && second === undefined) return this.#resourceList('', first as string)
    if (root !== 'apis') return undefined
    if (first === undefined)
      return { kind: 'APIGroupList', apiVersion: 'v1', groups: this.#allGroups().map(groupEntry) }
    if (second === undefined) {
      const found = this.#allGroups().find(({ group }) => group === first)
      return found && { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(found) }
    }
    return this.#resourceList(first, second)
  }

  /** Whether the group is served. In other groups a path is unknown, rather than a resource missing. */
  hasGroup(group: string): boolean {
    return this.#types.ofGroup(group).some(type => !type.conventions.unknownPathsArePages)
  }

  /** All paths that are listed at /. */
  paths(): string[] {
    this.#forgetOld()
    return [
      '/api',
      '/apis',
      '/apis/',
      ...this.#ownVersions('').map(version => `/api/${version}`),
      ...this.#allGroups().flatMap(({ group, versions }) => [
        `/apis/${group}`,
        ...versions.map(version => `/apis/${groupVersionOf(group, version)}`),
      ]),
    ]
  }

  /** Versions of the core group. */
  coreVersions(): readonly string[] {
    return this.#ownVersions('')
  }
  /** All other groups in order, with the preferred version first. */
  groups(): readonly GroupVersions[] {
    this.#forgetOld()
    return this.#allGroups()
  }
  /** The resources of a version as the texts that `make` returns, computed once for each type and version. */
  *textsOf(group: string, versionName: string, make: MakeText): Iterable<string> {
    for (const type of [...this.#types.ofGroup(group)].sort(byName(type => type.resource))) {
      const version = type.servedVersion(versionName)
      if (!version) continue
      const { repeatsGroupVersion } = type.conventions.discovery
      const text = () => make(entriesOf(type, version, this.#hasSingulars), group, versionName, repeatsGroupVersion)
      yield derive(version, text, make)
    }
  }

  #coreVersions(serverAddress: string): object {
    return {
      kind: 'APIVersions',
      versions: this.#ownVersions(''),
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
    }
  }

  /** Groups in the order of discovery, with the preferred version first, without the core group. */
  #allGroups(): readonly GroupVersions[] {
    if (this.#groupVersions) return this.#groupVersions
    const names = this.#types.groups().filter(group => group !== '')
    const own = names.map(group => ({ group, versions: this.#ownVersions(group) }))
    this.#groupVersions = this.#delegation?.groups(own) ?? own
    return this.#groupVersions
  }

  /** Versions of a group, stable before beta before alpha, newer before older. */
  #ownVersions(group: string): string[] {
    const names = new Set(this.#types.ofGroup(group).flatMap(type => type.served.map(each => each.name)))
    return [...names].sort(compareApiVersions)
  }

  #resourceList(group: string, versionName: string): object | undefined {
    const resources = [...this.#types.ofGroup(group)].sort(byName(type => type.resource)).flatMap(type => {
      const version = type.servedVersion(versionName)
      return version ? entriesOf(type, version, this.#hasSingulars) : []
    })
    if (resources.length === 0) return undefined
    const groupVersion = groupVersionOf(group, versionName)
    return { kind: 'APIResourceList', ...(group === '' ? {} : { apiVersion: 'v1' }), groupVersion, resources }
  }
}

const byName =
  <T>(nameOf: (entry: T) => string) =>
  (left: T, right: T): number =>
    nameOf(left) < nameOf(right) ? -1 : 1

function groupEntry({ group, versions: names }: GroupVersions): object {
  const versions = names.map(version => ({ groupVersion: groupVersionOf(group, version), version }))
  return { name: group, versions, preferredVersion: versions[0] }
}

/** A resource and those below it, as text. */
type MakeText = (
  entries: readonly ListedResource[],
  group: string,
  version: string,
  repeatsGroupVersion: boolean,
) => string

type ResourceEntry = ListedResource & { readonly storageVersionHash?: string }

/** Before that, clients derive the singular names of built-in types. */
export const hasSingularNames = defineDifference({
  name: 'discovery-has-singular-names',
  since: '1.27',
  description: 'Discovery contains the singular names of all types, not only of custom ones.',
  knownFrom: 'source',
})
const singularOf = ({ definition, kind, conventions }: ResourceType) =>
  definition.singular ?? (conventions.discovery.derivesSingular ? kind.toLowerCase() : '')

function entriesOf(type: ResourceType, version: CompiledVersion, hasSingulars: boolean): ResourceEntry[] {
  const { definition } = type
  const { alwaysHasSingular, sortsSubresources } = type.conventions.discovery
  const main: ResourceEntry = {
    name: type.resource,
    singularName: alwaysHasSingular || hasSingulars ? singularOf(type) : '',
    namespaced: type.namespaced,
    kind: type.kind,
    verbs: [...type.verbs].sort(),
    ...(definition.shortNames?.length ? { shortNames: definition.shortNames } : {}),
    ...(definition.categories?.length ? { categories: definition.categories } : {}),
    ...(definition.virtual ? {} : { storageVersionHash: storageHash(type) }),
  }
  const below: ResourceEntry[] = Object.entries(version.subresources).map(([name, subresource]) => ({
    name: `${type.resource}/${name}`,
    singularName: '',
    namespaced: type.namespaced,
    ...identityOf(type, version, subresource),
  }))
  // Custom resources list their subresources in the order of their definition.
  return [main, ...(sortsSubresources ? below.sort(byName(entry => entry.name)) : below)]
}

function identityOf(
  type: ResourceType,
  version: CompiledVersion,
  subresource: SubresourceDefinition,
): Partial<ListedResource> {
  if (subresource.kind === 'update') {
    return {
      kind: type.kind,
      verbs: [...((subresource as UpdateSubresource).verbs ?? ['get', 'patch', 'update'])].sort(),
    }
  }
  if (subresource.kind === 'connect') return { kind: subresource.objectKind, verbs: [...subresource.verbs].sort() }
  const isOtherGroupVersion = groupVersionOf(subresource.group, subresource.version) !== version.groupVersion
  return {
    ...(isOtherGroupVersion ? { group: subresource.group, version: subresource.version } : {}),
    kind: subresource.objectKind,
    verbs: [...Object.keys(subresource.handlers), ...(isPatchable(subresource) ? ['patch'] : [])].sort(),
  }
}

function storageHash(type: ResourceType): string {
  const text = `${type.group}/${type.storage.name}/${type.kind}`
  return createHash('sha256').update(text).digest().subarray(0, 8).toString('base64')
}
