import type { CacheChange, Clock, JsonObject, Logger } from 'orch/sdk'
import { mastersGroup } from 'orch/sdk/identity'
import type { ListedResource } from 'orch/sdk/server'
import { nestsDeeper } from '../../../libs/json/index.js'
import { type APIService, availableOf } from '../api-services/schema.js'
import type { AggregationNames } from '../names.js'
import type { Delegation } from './delegation.js'
import type { ExtensionServer } from './extension-server.js'
import { identityOf } from './proxy-headers.js'

const refreshMs = 60_000
const refPrefix = '#/definitions/'
/** Documents of extension servers are written with ours: what nests too deeply to be written would make ours fail for everybody. */
const maxLevels = 500

/** Fetches discovery and OpenAPI documents of extension servers: when a server becomes available, and then once a minute. */
export class ExtensionDocuments {
  readonly #delegation: Delegation
  readonly #names: AggregationNames
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #fetched = new WeakSet<ExtensionServer>()
  #cancel: (() => void) | undefined
  #isClosed = false

  constructor(delegation: Delegation, names: AggregationNames, clock: Clock, logger: Logger) {
    this.#delegation = delegation
    this.#names = names
    this.#clock = clock
    this.#logger = logger
  }

  changed({ type, object }: CacheChange<APIService>): void {
    const { group = '', version = '' } = object.spec
    const server = type === 'deleted' ? undefined : this.#delegation.delegateOf(group, version)
    if (!server) return
    if (availableOf(object)?.status !== 'True') return void this.#fetched.delete(server)
    if (this.#fetched.has(server)) return
    this.#fetched.add(server)
    void this.#read(object, server)
    this.#schedule()
  }
  close(): void {
    this.#isClosed = true
    this.#cancel?.()
  }

  #schedule(): void {
    if (this.#cancel || this.#isClosed) return
    this.#cancel = this.#clock.after(refreshMs, () => {
      this.#cancel = undefined
      const available = [...this.#delegation.servers()].filter(({ server }) => server.isAvailable)
      for (const { apiService, server } of available) void this.#read(apiService, server)
      if (available.length > 0) this.#schedule()
    })
  }

  async #read({ metadata: { name = '' }, spec }: APIService, server: ExtensionServer): Promise<void> {
    const { group = '', version = '' } = spec
    const headers = {
      accept: 'application/json',
      'user-agent': this.#names.userAgent,
      ...identityOf({ name: this.#names.user, groups: [mastersGroup] }, false),
    }
    try {
      await this.#discover(name, group, version, server, headers)
      const root = `/apis/${group}/${version}`
      // Stored one by one: what was read is not sent again, also if the next request fails.
      const v2 = await server.readDocument('/openapi/v2', headers)
      if (!v2.isUnchanged) this.#delegation.setDocument(name, 'v2', partOf(parsed(v2.text), root))
      const v3 = await server.readDocument(`/openapi/v3${root}`, headers)
      if (!v3.isUnchanged) this.#delegation.setDocument(name, 'v3', parsed(v3.text, 'openapi'))
    } catch (error) {
      // A server without a document still serves its API; the last document is retained.
      const why = (error as Error).message
      this.#logger.debug('an extension server has no OpenAPI document', { apiService: name, why })
    }
  }

  /** Requests aggregated discovery, and the list of resources from servers that do not support it. */
  async #discover(
    name: string,
    group: string,
    version: string,
    server: ExtensionServer,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    const whole = parsed(await server.read('/apis', { ...headers, accept: aggregated(this.#names) }), 'kind') as
      | GroupList
      | undefined
    const found =
      whole?.kind === 'APIGroupDiscoveryList'
        ? whole.items
            ?.find(({ metadata }) => metadata?.name === group)
            ?.versions?.find(each => each.version === version)
        : undefined
    if (found) return this.#delegation.setDiscovered(name, { resources: found.resources ?? [] })
    const list = parsed(await server.read(`/apis/${group}/${version}`, headers), 'resources')
    const listed = list?.['resources'] as readonly ListedResource[] | undefined
    if (Array.isArray(listed)) this.#delegation.setDiscovered(name, { listed })
  }
}

/** The media types of aggregated discovery, newest first. */
const aggregated = (names: AggregationNames) =>
  ['v2', 'v2beta1']
    .map(version => `application/json;g=${names.discoveryGroup};v=${version};as=APIGroupDiscoveryList`)
    .join()

interface GroupList {
  readonly kind?: string
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string }
    readonly versions?: readonly { readonly version?: string; readonly resources?: readonly object[] }[]
  }[]
}

/** Parses a document; undefined if it is not a valid one. */
function parsed(text: string | undefined, mark = 'swagger'): JsonObject | undefined {
  if (text === undefined) return undefined
  try {
    const document = JSON.parse(text) as JsonObject | null
    const isDocument = typeof document === 'object' && document !== null && mark in document
    return isDocument && !nestsDeeper(document, maxLevels) ? document : undefined
  } catch {
    return undefined
  }
}

/** The paths below `root` and the definitions that they reference. An extension server cannot describe any other path. */
export function partOf(document: JsonObject | undefined, root: string): JsonObject | undefined {
  if (!document) return undefined
  const all = Object.entries((document['paths'] ?? {}) as JsonObject)
  const paths = Object.fromEntries(all.filter(([path]) => path === root || path.startsWith(`${root}/`)))
  const known = (document['definitions'] ?? {}) as JsonObject
  const used = new Map<string, unknown>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, item] of Object.entries(value)) {
      const name = key === '$ref' && typeof item === 'string' ? item.slice(refPrefix.length) : undefined
      if (name === undefined) visit(item)
      else if (!used.has(name) && Object.hasOwn(known, name)) {
        used.set(name, known[name])
        visit(known[name])
      }
    }
  }
  visit(paths)
  return { paths, definitions: Object.fromEntries(used) }
}
