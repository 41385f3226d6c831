import { createHash } from 'node:crypto'
import type { SubresourceDefinition, UpdateSubresource } from 'orch/sdk'
import { isPatchable } from '../resources/patch-action.js'
import { type CompiledVersion, groupVersionOf, type ResourceType } from '../resources/resource-type.js'
import type { ResourceTypes } from '../resources/resource-types.js'

/** What the server serves, as clients discover it. Made once: types do not change after boot. */
export class Discovery {
  readonly #types: readonly ResourceType[]
  constructor(types: ResourceTypes) {
    this.#types = types.list()
  }

  /** The document at a discovery path (`/api`, `/apis`, `/apis/<group>`, `/api/v1`, `/apis/<group>/<version>`). */
  document(path: string, serverAddress: string): object | undefined {
    const [root, first, second, ...rest] = path.split('/').filter(part => part !== '')
    if (rest.length > 0) return undefined
    if (root === 'api' && first === undefined) return this.#coreVersions(serverAddress)
    if (root === 'api' && second === undefined) return this.#resourceList('', first as string)
    if (root !== 'apis') return undefined
    if (first === undefined) return { kind: 'APIGroupList', apiVersion: 'v1', groups: this.#groups() }
    if (second === undefined) return this.#group(first, true)
    return this.#resourceList(first, second)
  }

  /** Is this a group that is served in some version? Unknown groups are unknown paths, not missing resources. */
  hasGroup(group: string): boolean {
    return this.#types.some(type => type.group === group)
  }

  /** Every path below / that can be asked for. */
  paths(): string[] {
    const groups = [...new Set(this.#types.map(type => type.group))].filter(group => group !== '')
    const versions = [...new Set(this.#types.flatMap(type => type.served.map(version => version.groupVersion)))]
    return [
      '/api',
      '/apis',
      ...groups.map(group => `/apis/${group}`),
      ...versions.map(version => (version.includes('/') ? `/apis/${version}` : `/api/${version}`)),
    ]
  }

  #coreVersions(serverAddress: string): object {
    return {
      kind: 'APIVersions',
      versions: this.#versionsOf('').map(version => version.version),
      serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
    }
  }

  #groups(): object[] {
    const names = [...new Set(this.#types.map(type => type.group))].filter(group => group !== '')
    return names.map(name => this.#group(name, false) as object)
  }

  #group(name: string, isDocument: boolean): object | undefined {
    const versions = this.#versionsOf(name)
    if (versions.length === 0 || name === '') return undefined
    const entry = { name, versions, preferredVersion: versions[0] }
    return isDocument ? { kind: 'APIGroup', apiVersion: 'v1', ...entry } : entry
  }

  /** Versions of a group, stable before beta before alpha, newer before older. */
  #versionsOf(group: string): { groupVersion: string; version: string }[] {
    const names = new Set(
      this.#types.filter(type => type.group === group).flatMap(type => type.served.map(each => each.name)),
    )
    return [...names].sort(compareVersions).map(version => ({ groupVersion: groupVersionOf(group, version), version }))
  }

  #resourceList(group: string, versionName: string): object | undefined {
    const resources = this.#types
      .filter(type => type.group === group)
      .flatMap(type => {
        const version = type.servedVersion(versionName)
        return version ? entriesOf(type, version) : []
      })
      .sort((left, right) => (left.name < right.name ? -1 : 1))
    if (resources.length === 0) return undefined
    const groupVersion = groupVersionOf(group, versionName)
    return { kind: 'APIResourceList', ...(group === '' ? {} : { apiVersion: 'v1' }), groupVersion, resources }
  }
}

interface ResourceEntry {
  readonly name: string
  readonly [field: string]: unknown
}

function entriesOf(type: ResourceType, version: CompiledVersion): ResourceEntry[] {
  const { definition } = type
  const main: ResourceEntry = {
    name: type.resource,
    singularName: '',
    namespaced: type.namespaced,
    kind: type.kind,
    verbs: [...type.verbs].sort(),
    ...(definition.shortNames?.length ? { shortNames: definition.shortNames } : {}),
    ...(definition.categories?.length ? { categories: definition.categories } : {}),
    ...(definition.virtual ? {} : { storageVersionHash: storageHash(type) }),
  }
  const below = Object.entries(definition.subresources ?? {}).map(([name, subresource]) => ({
    name: `${type.resource}/${name}`,
    singularName: '',
    namespaced: type.namespaced,
    ...identityOf(type, version, subresource),
  }))
  return [main, ...below]
}

function identityOf(type: ResourceType, version: CompiledVersion, subresource: SubresourceDefinition): object {
  if (subresource.kind === 'update') {
    return {
      kind: type.kind,
      verbs: [...((subresource as UpdateSubresource).verbs ?? ['get', 'patch', 'update'])].sort(),
    }
  }
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

function compareVersions(left: string, right: string): number {
  const rank = (name: string) => {
    const [, major = '0', stage = '', minor = '0'] = /^v(\d+)(alpha|beta)?(\d+)?$/.exec(name) ?? []
    return [stage === '' ? 2 : stage === 'beta' ? 1 : 0, Number(major), Number(minor)] as const
  }
  const [leftRank, rightRank] = [rank(left), rank(right)]
  for (const at of [0, 1, 2] as const) if (leftRank[at] !== rightRank[at]) return rightRank[at] - leftRank[at]
  return left < right ? -1 : 1
}
