import { createHash } from 'node:crypto'
import { defineDifference, type Vendor } from 'orch/sdk'
import type { ApiDelegation, DelegatedDiscovery, ListedResource } from 'orch/sdk/server'
import { keepCompressed } from '../contracts/kept-body.js'
import type { MediaFormat } from '../contracts/representation.js'
import { Turns } from '../contracts/turns.js'
import { type AcceptClause, formatOf, mediaTypeFor, parseAccept } from '../representation/negotiate.js'
import { unsetMetadata } from '../schema/unset-metadata.js'
import type { Discovery } from './discovery.js'

/** The form of the aggregated document that a client requested. */
export interface AggregatedForm {
  readonly version: 'v2' | 'v2beta1'
  readonly format: MediaFormat
  readonly contentType: string
}
export interface AggregatedDocument {
  readonly json: string
  /** The same, ready to be sent. */
  readonly bytes: Buffer
  readonly etag: string
}

export const discoveryInVersion2 = defineDifference({
  name: 'aggregated-discovery-in-v2',
  since: '1.30',
  description: 'Aggregated discovery is also served in version v2.',
  knownFrom: 'source',
  additive: true,
})

/** The versions in which the document is served. */
export function aggregatedVersions(
  gates: { isEnabled(name: string): boolean },
  { level }: Vendor,
): ReadonlySet<AggregatedForm['version']> {
  const versions = new Set<AggregatedForm['version']>()
  if (!gates.isEnabled('AggregatedDiscoveryEndpoint')) return versions
  if (level.has(discoveryInVersion2)) versions.add('v2')
  if (!gates.isEnabled('AggregatedDiscoveryRemoveBetaType')) versions.add('v2beta1')
  return versions
}

const listKind = 'APIGroupDiscoveryList'
/** How many distinct Accept headers are remembered; real clients send a handful. */
const maxRemembered = 200

/**
 * All groups, versions and resources in one document, one for the core group at /api and one for the others at /apis. The text of each
 * resource is cached with its type: when types change, only the texts of changed types are computed again.
 */
export class AggregatedDiscovery {
  readonly #discovery: Discovery
  readonly #vendor: Vendor
  readonly #delegation: ApiDelegation | undefined
  readonly #versions: ReadonlySet<string>
  readonly #forms = new Map<string, AggregatedForm | undefined>()
  readonly #documents = new Map<string, AggregatedDocument>()
  #madeFor = ''

  /** Without any versions, aggregated discovery is off. */
  constructor(
    discovery: Discovery,
    vendor: Vendor,
    versions: ReadonlySet<AggregatedForm['version']>,
    delegation?: ApiDelegation,
  ) {
    this.#discovery = discovery
    this.#vendor = vendor
    this.#versions = versions
    this.#delegation = delegation
  }

  /** The form that an Accept header requests. A client that accepts it gets it, even if it prefers another one. */
  formFor(accept: string | undefined): AggregatedForm | undefined {
    if (this.#versions.size === 0 || !accept?.includes(listKind)) return undefined
    if (this.#forms.has(accept)) return this.#forms.get(accept)
    if (this.#forms.size >= maxRemembered) this.#forms.clear()
    const form = this.#choose(accept)
    this.#forms.set(accept, form)
    return form
  }
  #choose(accept: string): AggregatedForm | undefined {
    const group = this.#vendor.group('apidiscovery')
    const isServed = ({ parameters: { g, v, as, stream, sv } }: AcceptClause) =>
      g === group && as === listKind && this.#versions.has(v ?? '') && (!stream || stream === 'watch') && !sv
    const { protobufMediaType } = this.#vendor.profile
    const formatOfClause = ({ type }: AcceptClause) =>
      formatOf(type === 'application/*' ? '*/*' : type, protobufMediaType)
    const found = parseAccept(accept).find(clause => isServed(clause) && formatOfClause(clause) !== undefined)
    if (!found) return undefined
    const format = formatOfClause(found)!
    const mediaType = mediaTypeFor(format, protobufMediaType)
    const version = found.parameters.v as AggregatedForm['version']
    return { version, format, contentType: `${mediaType};g=${group};v=${version};as=${listKind}` }
  }

  /** The document at `api` or `apis`. A promise if it is not cached. */
  document(root: 'api' | 'apis', form: AggregatedForm): AggregatedDocument | Promise<AggregatedDocument> {
    return this.#kept(root, form) ?? this.#makeInTurns(root, form)
  }
  #kept(root: 'api' | 'apis', { version }: AggregatedForm): AggregatedDocument | undefined {
    const current = this.#discovery.generation
    if (this.#madeFor !== current) this.#documents.clear()
    this.#madeFor = current
    return this.#documents.get(`${root} ${version}`)
  }
  /** Thousands of types may be new: yields between their texts, which are cached with the types. */
  async #makeInTurns(root: 'api' | 'apis', form: AggregatedForm): Promise<AggregatedDocument> {
    const turns = new Turns()
    for (const { group, versions } of root === 'api' ? [] : [...this.#discovery.groups()])
      for (const version of versions)
        for (const _ of this.#discovery.textsOf(group, version, resourceText)) await turns.next()
    return this.#kept(root, form) ?? this.#make(root, form)
  }
  #make(root: 'api' | 'apis', { version }: AggregatedForm): AggregatedDocument {
    const items = root === 'api' ? [this.#group('', this.#discovery.coreVersions())] : this.#groups()
    const text = `[${items.join()}]`
    const start = `{"kind":"${listKind}","apiVersion":"${this.#vendor.group('apidiscovery')}/${version}","metadata":{},"items":`
    const hash = createHash('sha512').update(text).digest('hex').toUpperCase()
    const json = `${start}${text}}`
    const document = { json, bytes: keepCompressed(Buffer.from(`${json}\n`)), etag: `"${hash}"` }
    this.#documents.set(`${root} ${version}`, document)
    return document
  }

  #groups(): string[] {
    return this.#discovery.groups().map(({ group, versions }) => this.#group(group, versions))
  }
  #group(name: string, versions: readonly string[]): string {
    const metadata = { ...(name === '' ? {} : { name }), ...unsetMetadata(this.#vendor.level) }
    const parts = versions.map(version => this.#version(name, version))
    return `{"metadata":${JSON.stringify(metadata)},"versions":[${parts.join()}]}`
  }
  #version(group: string, version: string): string {
    const delegate = group === '' ? undefined : this.#delegation?.discoveryOf(group, version)
    const resources = delegate
      ? delegated(delegate)
      : `[${[...this.#discovery.textsOf(group, version, resourceText)].join()}]`
    const freshness = delegate && !delegate.isFresh ? 'Stale' : 'Current'
    return `{"version":${JSON.stringify(version)},${resources ? `"resources":${resources},` : ''}"freshness":"${freshness}"}`
  }
}

/** The last discovery of an extension server, as text; undefined if there is none yet. */
function delegated({ resources, listed }: DelegatedDiscovery): string | undefined {
  if (resources) return JSON.stringify(resources)
  return listed && JSON.stringify(fromResourceList(listed))
}

/** A resource with its subresources, as text. */
function resourceText(
  [main, ...below]: readonly ListedResource[],
  group: string,
  version: string,
  repeatsGroupVersion: boolean,
) {
  return JSON.stringify(
    resourceDiscovery(main!, below, repeatsGroupVersion ? { group, version } : { group: '', version: '' }),
  )
}

interface Home {
  readonly group: string
  readonly version: string
}

/** One resource of a list of resources, with those below it. */
function resourceDiscovery(main: ListedResource, below: readonly ListedResource[], home: Home): object {
  const { name, singularName, namespaced, verbs, shortNames, categories } = main
  return {
    resource: name,
    responseKind: kindOf(main, home),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singularName ?? '',
    verbs,
    ...(shortNames?.length ? { shortNames } : {}),
    ...(categories?.length ? { categories } : {}),
    ...(below.length === 0
      ? {}
      : {
          subresources: below.map(each => ({
            subresource: each.name.slice(name.length + 1),
            responseKind: kindOf(each, home),
            verbs: each.verbs,
          })),
        }),
  }
}
/** The group and version default to those of the document. */
const kindOf = ({ group, version, kind }: ListedResource, home: Home) => ({
  group: group ?? home.group,
  version: version ?? home.version,
  kind: kind ?? '',
})

/** The list of resources of an older server in the form of this document. */
function fromResourceList(entries: readonly ListedResource[]): object[] {
  const home = { group: '', version: '' }
  const mains = entries.filter(({ name }) => !name.includes('/'))
  const below = new Map<string, ListedResource[]>()
  for (const entry of entries) {
    const at = entry.name.indexOf('/')
    if (at < 0) continue
    const parent = entry.name.slice(0, at)
    below.set(parent, [...(below.get(parent) ?? []), entry])
  }
  return mains.map(main => resourceDiscovery(main, below.get(main.name) ?? [], home))
}
