import * as assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ResourceClient } from '../../client/client.js'
import { ApiError } from '../../resource/api-errors.js'
import type { ApiObject } from '../../resource/meta.js'
import type { Verb } from '../../resource/resource.js'
import type { TestServer } from '../start-server.js'
import type { ConformanceCase, ConformanceRequest } from './conformance-case.js'

/** Where objects of namespaced types are created. */
export const conformanceNamespace = 'conformance'
const removalTries = 1500
const removalPollMs = 20

/** The type under test and the server it is tried on, started by the first case that needs it. */
export class ConformanceSubject {
  readonly request: ConformanceRequest
  readonly #start: () => Promise<TestServer>
  #server: Promise<TestServer> | undefined
  #count = 0

  constructor(request: ConformanceRequest, start: () => Promise<TestServer>) {
    this.request = request
    this.#start = start
  }

  get namespace(): string {
    return this.request.resource.namespaced ? conformanceNamespace : ''
  }
  /** The served version under test: the preferred one. */
  get version(): string {
    return this.request.resource.versions[0]?.name ?? ''
  }
  has(verb: Verb): boolean {
    return this.request.resource.verbs?.includes(verb) ?? true
  }
  /** A case that only makes sense for types with these verbs. */
  caseFor(verbs: readonly Verb[], name: string, run: () => Promise<void>): ConformanceCase[] {
    return verbs.every(verb => this.has(verb)) ? [{ name, run }] : []
  }

  server(): Promise<TestServer> {
    this.#server ??= this.#start()
    return this.#server
  }
  async stop(): Promise<void> {
    await (await this.#server)?.stop()
    this.#server = undefined
  }

  async client(): Promise<ResourceClient<ApiObject>> {
    const { group, resource, namespaced } = this.request.resource
    const { client } = await this.server()
    const all = client.resource<ApiObject>({ group, version: this.version, resource })
    return namespaced ? all.in(this.namespace) : all
  }

  /** A valid object with a name of its own. */
  sample(change: (object: ApiObject) => void = () => {}): ApiObject {
    const made = structuredClone(this.request.valid()) as ApiObject
    const object: ApiObject = {
      ...made,
      metadata: { ...made.metadata, name: made.metadata?.name ?? `sample-${++this.#count}` },
    }
    change(object)
    return object
  }
  async created(change?: (object: ApiObject) => void): Promise<ApiObject> {
    return (await this.client()).create(this.sample(change))
  }
  /** The change that an update makes. */
  changed(object: ApiObject): ApiObject {
    const copy = structuredClone(object)
    if (this.request.update) this.request.update(copy)
    else copy.metadata.labels = { ...copy.metadata.labels, 'conformance-change': 'made' }
    return copy
  }
  /** Removes an object whatever holds it, so that the next case finds the collection unchanged. */
  async removed(object: ApiObject): Promise<void> {
    const client = await this.client()
    const name = object.metadata.name ?? ''
    await client.delete(name, { gracePeriodSeconds: 0 }).catch(() => {})
    const held = await client.find(name)
    if (held?.metadata.finalizers?.length) await client.patch(name, { metadata: { finalizers: null } }).catch(() => {})
    // Objects removed by a control loop take a moment longer.
    for (let tries = 0; tries < removalTries && (await client.find(name)); tries++) await sleep(removalPollMs)
  }

  /** Where the collection is, in a version of the type. */
  path(version = this.version): string {
    const { group, resource } = this.request.resource
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
    return `${root}${this.namespace === '' ? '' : `/namespaces/${this.namespace}`}/${resource}`
  }
  /** The OpenAPI document. It is JSON whatever media type it is sent with. */
  async openApi(): Promise<OpenApiDocument> {
    const server = await this.server()
    let document = documents.get(server)
    if (!document) {
      const headers = { authorization: `Bearer ${server.token}` }
      document = fetch(`${server.baseUrl}/openapi/v2`, { headers }).then(
        answer => answer.json() as Promise<OpenApiDocument>,
      )
      documents.set(server, document)
    }
    return document
  }

  /** Any request to a path of this type, for what the client would not send. */
  async raw(
    method: string,
    suffix: string,
    headers: Record<string, string> = {},
    body?: string | object,
    version = this.version,
  ): Promise<RawAnswer> {
    const { baseUrl, token } = await this.server()
    const response = await fetch(`${baseUrl}${this.path(version)}${suffix}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const text = bytes.toString()
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      text,
      json: () => JSON.parse(text) as Record<string, unknown>,
    }
  }
}

/** The parts of an OpenAPI v2 document that are checked. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly definitions: Readonly<Record<string, OpenApiSchema>>
}
export interface OpenApiOperation {
  readonly produces?: readonly string[]
  readonly responses?: Readonly<Record<string, { readonly schema?: OpenApiSchema }>>
}
export interface OpenApiSchema {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, OpenApiSchema>>
  readonly additionalProperties?: OpenApiSchema
  readonly items?: OpenApiSchema
}
/** It is large and never changes while a server runs. */
const documents = new WeakMap<TestServer, Promise<OpenApiDocument>>()

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  readonly text: string
  json(): Record<string, unknown>
}

/** Expects a rejection with this code and reason. */
export async function refused(work: Promise<unknown>, code: number, reason?: string): Promise<ApiError> {
  const answer = await work.then(
    value => value,
    thrown => thrown,
  )
  assert.ok(answer instanceof ApiError, `expected an error ${code}, got ${JSON.stringify(answer)?.slice(0, 200)}`)
  assert.equal(answer.code, code, answer.message)
  if (reason !== undefined) assert.equal(answer.reason, reason)
  return answer
}
