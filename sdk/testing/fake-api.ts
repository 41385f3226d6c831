import type { Transport, TransportRequest, TransportResponse } from '../client/client.js'
import { ApiError, alreadyExists, conflict, notFound } from '../resource/api-errors.js'
import type { ApiObject } from '../resource/meta.js'
import { fieldMatcher, parseFieldSelector } from '../validation/field-selectors.js'
import { parseLabelSelector } from '../validation/label-selector-text.js'
import { labelMatcher } from '../validation/selectors.js'
import { ChunkQueue } from './chunk-queue.js'

interface RequestedObject {
  readonly group: string
  readonly apiVersion: string
  readonly resource: string
  readonly namespace: string
  readonly name: string
}
interface Change {
  readonly version: number
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly collection: string
  readonly object: ApiObject
}

const expired = (message: string) => new ApiError(410, 'Expired', message)

/**
 * An API in memory, for tests of clients and control loops that need no kernel: any resource type, no validation, no
 * admission. It can be made to fail in the ways that are hard to bring about with a real server.
 */
export class FakeApi {
  /** Every request, as `GET /api/v1/…`, in the order of arrival. */
  readonly requests: string[] = []
  /** Called before a request is served; a result replaces the response. */
  intercept: ((request: TransportRequest) => TransportResponse | Promise<TransportResponse> | undefined) | undefined
  readonly #objects = new Map<string, { collection: string; object: ApiObject }>()
  readonly #history: Change[] = []
  readonly #watchers = new Set<{ queue: ChunkQueue; tell: (change: Change) => void }>()
  #version = 100
  #oldestVersion = 0

  readonly transport: Transport = async request => {
    this.requests.push(`${request.method} ${request.path}`)
    const instead = await this.intercept?.(request)
    if (instead) return instead
    try {
      return this.#serve(request)
    } catch (error) {
      return answer((error as ApiError).code, statusOf(error as ApiError))
    }
  }

  /** Open watch connections. */
  get watchers(): number {
    return this.#watchers.size
  }
  /** Ends every watch, as a restarting server does. */
  dropWatches(): void {
    for (const { queue } of [...this.#watchers]) queue.close()
  }
  /** Forgets the history: watches and tokens from before get 410. */
  compact(): void {
    this.#oldestVersion = this.#version
  }
  /** Stores an object as if a client had written it, and notifies watchers. */
  put(path: string, object: ApiObject): ApiObject {
    const place = placeOf(path)
    const key = keyOf(place, object.metadata.name ?? '')
    return this.#write(this.#objects.has(key) ? 'MODIFIED' : 'ADDED', place, object)
  }
  /** Removes the object at this path. */
  remove(path: string): void {
    const place = placeOf(path)
    const stored = this.#objects.get(keyOf(place, place.name))
    if (stored) this.#write('DELETED', place, stored.object)
  }
  /** The object at this path as it is stored. */
  get(path: string): ApiObject | undefined {
    const place = placeOf(path)
    return this.#objects.get(keyOf(place, place.name))?.object
  }

  #write(type: Change['type'], place: RequestedObject, object: ApiObject): ApiObject {
    const version = ++this.#version
    const { resource, namespace } = place
    const stored = structuredClone(object)
    Object.assign(stored.metadata, { resourceVersion: String(version), ...(namespace ? { namespace } : {}) })
    stored.metadata.uid ??= `uid-${version}`
    const key = keyOf(place, object.metadata.name ?? '')
    const collection = `${place.group}/${resource}`
    if (type === 'DELETED') this.#objects.delete(key)
    else this.#objects.set(key, { collection, object: stored })
    const change = { version, type, collection, object: stored }
    this.#history.push(change)
    for (const watcher of this.#watchers) watcher.tell(change)
    return stored
  }

  #serve(request: TransportRequest): TransportResponse {
    const url = new URL(request.path, 'http://fake')
    const place = placeOf(url.pathname)
    const subject = { group: place.group, resource: place.resource, name: place.name }
    const stored = this.#objects.get(keyOf(place, place.name))?.object
    if (place.name !== '' && !stored) throw notFound(subject)
    const sent = () => JSON.parse(String(request.body)) as ApiObject
    switch (request.method) {
      case 'GET':
        if (stored) return answer(200, stored)
        return url.searchParams.get('watch') ? this.#watch(place, url, request.signal) : this.#list(place, url)
      case 'POST': {
        const object = sent()
        const name = object.metadata.name ?? ''
        if (this.#objects.has(keyOf(place, name))) throw alreadyExists({ ...subject, name })
        return answer(201, this.#write('ADDED', place, object))
      }
      case 'PUT': {
        const object = sent()
        const expected = object.metadata.resourceVersion
        if (expected && expected !== stored?.metadata.resourceVersion)
          throw conflict(subject, 'the object has been modified')
        return answer(
          200,
          this.#write('MODIFIED', place, { ...object, metadata: { ...stored?.metadata, ...object.metadata } }),
        )
      }
      case 'PATCH':
        return answer(200, this.#write('MODIFIED', place, merge(stored, sent()) as ApiObject))
      default:
        return answer(200, this.#write('DELETED', place, stored as ApiObject))
    }
  }

  #list({ group, apiVersion, resource, namespace }: RequestedObject, url: URL): TransportResponse {
    const matches = filterOf(url, namespace)
    const [version, after] = (url.searchParams.get('continue') ?? `${this.#version}:`).split(':') as [string, string]
    if (Number(version) < this.#oldestVersion) throw expired('The provided continue parameter is too old')
    const all = [...this.#objects.entries()]
      .filter(([key, one]) => one.collection === `${group}/${resource}` && key > after && matches(one.object))
      .sort(([a], [b]) => (a < b ? -1 : 1))
    const limit = Number(url.searchParams.get('limit') ?? 0)
    const page = limit > 0 ? all.slice(0, limit) : all
    const more = page.length < all.length ? { continue: `${version}:${page.at(-1)?.[0]}` } : {}
    return answer(200, {
      apiVersion,
      kind: 'ThingList',
      metadata: { resourceVersion: version, ...more },
      items: page.map(([, { object }]) => object),
    })
  }

  #watch({ group, resource, namespace }: RequestedObject, url: URL, signal?: AbortSignal): TransportResponse {
    const queue = new ChunkQueue()
    const matches = filterOf(url, namespace)
    const since = Number(url.searchParams.get('resourceVersion') ?? this.#version)
    const tell = ({ type, collection, object }: Change) => {
      if (collection === `${group}/${resource}` && matches(object)) queue.push({ type, object })
    }
    if (since < this.#oldestVersion) {
      queue.push({ type: 'ERROR', object: statusOf(expired('too old resource version')) })
      queue.close()
    } else {
      for (const change of this.#history) if (change.version > since) tell(change)
      const watcher = { queue, tell }
      this.#watchers.add(watcher)
      queue.onClose = () => this.#watchers.delete(watcher)
      signal?.addEventListener('abort', () => queue.close(), { once: true })
    }
    return { status: 200, headers: { 'content-type': 'application/json' }, body: queue }
  }
}

function placeOf(path: string): RequestedObject {
  const parts = path.split('/').slice(1).map(decodeURIComponent)
  const [group, version] = parts.shift() === 'api' ? ['', parts.shift()] : [parts.shift() ?? '', parts.shift()]
  // `namespaces/a` is an object; `namespaces/a/things` is a collection inside it.
  const namespace = parts[0] === 'namespaces' && parts.length > 2 ? (parts.splice(0, 2)[1] ?? '') : ''
  const apiVersion = group === '' ? (version ?? '') : `${group}/${version}`
  return { group, apiVersion, resource: parts[0] ?? '', namespace, name: parts[1] ?? '' }
}
const keyOf = ({ group, resource, namespace }: RequestedObject, name: string) =>
  `${group}/${resource}/${namespace}/${name}`

function filterOf(url: URL, namespace: string): (object: ApiObject) => boolean {
  const labels = labelMatcher(parseLabelSelector(url.searchParams.get('labelSelector') ?? ''))
  const fields = fieldMatcher(parseFieldSelector(url.searchParams.get('fieldSelector') ?? ''))
  const read = (object: ApiObject) => (field: string) =>
    String(field.split('.').reduce((at: unknown, key) => (at as Record<string, unknown>)?.[key], object) ?? '')
  return object =>
    (namespace === '' || object.metadata.namespace === namespace) &&
    labels(object.metadata.labels) &&
    fields(read(object))
}

function merge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const result: Record<string, unknown> = { ...(typeof target === 'object' ? target : {}) }
  for (const [key, value] of Object.entries(patch))
    if (value === null) delete result[key]
    else result[key] = merge(result[key], value)
  return result
}

const statusOf = ({ code, reason, message, details }: ApiError) => ({ kind: 'Status', code, reason, message, details })

/** An answer with a JSON body. */
export function answer(status: number, body: unknown, headers: Record<string, string> = {}): TransportResponse {
  const queue = new ChunkQueue()
  queue.push(body)
  queue.close()
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: queue }
}
