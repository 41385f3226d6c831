import type { Clock } from '../plugin/basic-services.js'
import { ApiError } from '../resource/api-errors.js'
import { writeJson } from '../validation/json-values.js'
import type {
  DeleteOptions,
  ListOptions,
  ObjectList,
  PatchOptions,
  ResourceClient,
  ResourceRef,
  ResumedEvent,
  ResumeOptions,
  TransportRequest,
  TransportResponse,
  WaitOptions,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from './client.js'
import { ConnectionError, isObjectNotFound } from './error-answers.js'
import { JsonLines } from './json-lines.js'
import { apiVersionOf } from './kinds.js'
import { eachObject } from './pages.js'
import { acceptHeader, listQuery, pathOf, segmentProblem, watchQuery, withQuery, writeQuery } from './request-path.js'
import { waitForState } from './wait-for.js'
import { watchWithResume } from './watch-with-resume.js'

/** The part of a client that its collections use. */
export interface Caller {
  readonly clock: Clock
  /** A successful response; any other is thrown as an error. */
  send(request: TransportRequest): Promise<TransportResponse>
  call<A>(request: TransportRequest): Promise<A>
  preferredVersion(group: string, resource: string): Promise<string>
  /** The kind of a resource, by discovery. */
  kindOf(group: string, version: string, resource: string): Promise<string | undefined>
}

interface Named {
  apiVersion?: string
  kind?: string
  readonly metadata?: { readonly name?: string; readonly namespace?: string }
}
const patchMediaTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  // JSON is YAML, so objects need no second encoding.
  apply: 'application/apply-patch+yaml',
} as const

/** One collection over a transport. `kind` is known when the client was created from a definition. */
export class CollectionClient<T, Sent = T> implements ResourceClient<T, Sent> {
  readonly #caller: Caller
  readonly #ref: ResourceRef
  readonly #kind: string | undefined
  readonly #namespace: string | undefined
  constructor(caller: Caller, ref: ResourceRef, kind?: string, namespace?: string) {
    this.#caller = caller
    this.#ref = ref
    this.#kind = kind
    this.#namespace = namespace
  }

  in(namespace: string): ResourceClient<T, Sent> {
    return new CollectionClient<T, Sent>(this.#caller, this.#ref, this.#kind, namespace)
  }
  async get(name: string): Promise<T> {
    return this.#call('GET', await this.#path(name))
  }
  async find(name: string): Promise<T | undefined> {
    // No object has such a name. Names often come from fields of other objects, which may contain anything.
    if (segmentProblem(name) !== undefined) return undefined
    try {
      return await this.get(name)
    } catch (error) {
      if (isObjectNotFound(error)) return undefined
      throw error
    }
  }
  async list(options: ListOptions = {}): Promise<ObjectList<T>> {
    const list = await this.#caller.call<ObjectList<T>>({
      method: 'GET',
      path: withQuery(await this.#path(), listQuery(options)),
      headers: acceptHeader('PartialObjectMetadataList', options),
    })
    // Items of a list have no kind; callers that mix kinds need it.
    const kind = list.kind.endsWith('List') ? list.kind.slice(0, -'List'.length) : ''
    const items = (list.items ?? []) as (T & Named)[]
    if (kind !== '')
      for (const item of items) {
        item.apiVersion ??= list.apiVersion
        item.kind ??= kind
      }
    return { ...list, items }
  }
  each(options: ListOptions = {}): AsyncIterable<T> {
    return eachObject(this, options)
  }
  async *watch(options: WatchOptions = {}): AsyncGenerator<WatchEvent<T>> {
    const { signal } = options
    if (signal?.aborted) return
    const stop = new AbortController()
    const abort = () => stop.abort(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    try {
      const path = withQuery(await this.#path(), watchQuery(options))
      const headers = acceptHeader('PartialObjectMetadata', options)
      const { body } = await this.#caller.send({ method: 'GET', path, headers, signal: stop.signal })
      // In a whole object another field may have that name.
      const withoutManagedFields = options.metadataOnly !== undefined && options.withoutManagedFields
      const lines = new JsonLines({ withoutManagedFields })
      for await (const chunk of body) {
        for (const event of lines.push(chunk)) {
          if (signal?.aborted) return
          yield event as WatchEvent<T>
        }
      }
      for (const event of lines.end()) yield event as WatchEvent<T>
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof SyntaxError)
        throw new ConnectionError('the watch was cut off in the middle of an event', { cause: error })
      throw error
    } finally {
      signal?.removeEventListener('abort', abort)
      stop.abort()
    }
  }
  watchWithResume(options: ResumeOptions = {}): AsyncIterable<ResumedEvent<T>> {
    return watchWithResume(this, options, this.#caller.clock)
  }
  async waitFor(name: string, condition: (object: T) => boolean, options: WaitOptions = {}): Promise<T> {
    const isDone = (object: T | undefined) => object !== undefined && condition(object)
    return (await waitForState(this, name, isDone, options, this.#caller.clock)) as T
  }
  async waitForDeletion(name: string, options: WaitOptions = {}): Promise<void> {
    await waitForState(this, name, object => object === undefined, options, this.#caller.clock)
  }
  async create(object: Sent, options: WriteOptions = {}): Promise<T> {
    const path = await this.#path(undefined, undefined, namespaceOf(object))
    return this.#send('POST', withQuery(path, writeQuery(options)), object)
  }
  async update(object: Sent, options: WriteOptions = {}): Promise<T> {
    return this.updateSubresource('', object, options)
  }
  async updateSubresource(subresource: string, object: Sent, options: WriteOptions = {}): Promise<T> {
    const path = await this.#path(nameOfObject(object), subresource, namespaceOf(object))
    return this.#send('PUT', withQuery(path, writeQuery(options)), object)
  }
  async getSubresource<A>(name: string, subresource: string): Promise<A> {
    return this.#call('GET', await this.#path(name, subresource))
  }
  async createSubresource<B, A = B>(
    name: string,
    subresource: string,
    body: B,
    options: WriteOptions = {},
  ): Promise<A> {
    return this.#call('POST', withQuery(await this.#path(name, subresource), writeQuery(options)), body)
  }
  async patch(name: string, patch: unknown, options: PatchOptions = {}): Promise<T> {
    return this.#patch(await this.#path(name, options.subresource), patch, options)
  }
  async apply(
    object: Sent,
    options: WriteOptions & { fieldManager: string; force?: boolean; subresource?: string },
  ): Promise<T> {
    const path = await this.#path(nameOfObject(object), options.subresource, namespaceOf(object))
    return this.#patch(path, await this.#complete(object), { ...options, type: 'apply' })
  }
  async delete(name: string, options: DeleteOptions = {}): Promise<T> {
    return this.#call('DELETE', await this.#path(name), deleteBody(options))
  }
  async deleteCollection(options: ListOptions & DeleteOptions = {}): Promise<void> {
    await this.#call('DELETE', withQuery(await this.#path(), listQuery(options)), deleteBody(options))
  }

  #patch(path: string, patch: unknown, { type = 'merge', force, ...options }: PatchOptions): Promise<T> {
    return this.#call('PATCH', withQuery(path, { ...writeQuery(options), force }), patch, patchMediaTypes[type])
  }
  #call<A>(method: string, path: string, body?: unknown, mediaType = 'application/json'): Promise<A> {
    if (body === undefined) return this.#caller.call({ method, path, headers: {} })
    return this.#caller.call({ method, path, headers: { 'content-type': mediaType }, body: writeJson(body) })
  }
  async #version(): Promise<string> {
    const { group, version, resource } = this.#ref
    return version === '' ? this.#caller.preferredVersion(group, resource) : version
  }
  async #path(name?: string, subresource?: string, namespaceOfObject?: string): Promise<string> {
    const { group, resource } = this.#ref
    const namespace = this.#namespace ?? namespaceOfObject
    return pathOf({ group, version: await this.#version(), resource, namespace, name, subresource })
  }
  /** Sends a whole object. Custom resources must state their kind; if it is missing, discovery finds it. */
  async #send(method: string, path: string, object: Sent): Promise<T> {
    try {
      return await this.#call(method, path, await this.#complete(object))
    } catch (error) {
      const { apiVersion, kind } = object as Named
      if (!isMissingKind(error) || (apiVersion !== undefined && kind !== undefined)) throw error
      const { group, resource } = this.#ref
      const version = await this.#version()
      const found = await this.#caller.kindOf(group, version, resource)
      if (found === undefined) throw error
      return this.#call(method, path, { apiVersion: apiVersionOf({ group, version }), kind: found, ...object })
    }
  }
  /** Adds the kind and version of the path, so that callers can omit them. */
  async #complete(object: Sent): Promise<Sent> {
    const { apiVersion, kind } = object as Named
    if (this.#kind === undefined || (apiVersion !== undefined && kind !== undefined)) return object
    const version = await this.#version()
    return { apiVersion: apiVersionOf({ group: this.#ref.group, version }), kind: this.#kind, ...object }
  }
}

const isMissingKind = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 400 && /^Object '(Kind|apiVersion)' is missing/.test(error.message)
const nameOfObject = (object: unknown) => (object as Named).metadata?.name ?? ''
const namespaceOf = (object: unknown) => (object as Named).metadata?.namespace

function deleteBody({ dryRun, gracePeriodSeconds, propagationPolicy, preconditions }: DeleteOptions): unknown {
  const options = {
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(preconditions === undefined ? {} : { preconditions }),
    ...(dryRun ? { dryRun: ['All'] } : {}),
  }
  return Object.keys(options).length === 0 ? undefined : { kind: 'DeleteOptions', apiVersion: 'v1', ...options }
}
