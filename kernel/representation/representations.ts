import { type ApiObject, type Clock, notAcceptable, type Vendor } from 'orch/sdk'
import type { Headers } from '../http/exchange.js'
import { type StatusBody, writeStatus } from '../http/write-status.js'
import { toYaml } from '../http/yaml-text.js'
import type { RequestContext } from '../request/request-context.js'
import type { CompiledVersion, ResourceType } from '../resources/resource-type.js'
import { fromStoredBody } from '../resources/stored-json.js'
import { Negotiator, type Representation } from './negotiate.js'
import { partialMetadata, partialMetadataList } from './partial-metadata.js'
import type { ProtobufCodec } from './protobuf/codec.js'
import { encodeList } from './protobuf/list.js'
import { ProtobufForms } from './protobuf-codec.js'
import { parseIncludeObject, TableMaker } from './table.js'

/** Writes answers in the form the client wants. The plain JSON of a stored object never becomes an object here. */
export class Representations {
  readonly negotiator: Negotiator
  readonly protobuf = new ProtobufForms()
  readonly tables: TableMaker
  readonly vendor: Vendor

  constructor(vendor: Vendor, clock: Clock) {
    this.vendor = vendor
    this.negotiator = new Negotiator(vendor)
    this.tables = new TableMaker(vendor, () => clock.now())
  }

  /** The form of the answer for a type; 406 when the client accepts nothing this type can be. */
  negotiate(context: RequestContext, type: ResourceType, version: CompiledVersion): Representation {
    const wanted = this.negotiator.negotiate(context.exchange.headers.accept)
    if (wanted.format === 'yaml' && context.info.verb === 'watch')
      throw notAcceptable('events cannot be watched as YAML')
    if (wanted.as === 'Table' && context.info.query.size > 0) parseIncludeObject(context.info.query)
    return this.#encodable(wanted, type, version)
  }

  /** The same for an answer that has no views. */
  negotiatePlain(context: RequestContext, type: ResourceType, version: CompiledVersion): Representation {
    return this.#encodable(this.negotiator.negotiatePlain(context.exchange.headers.accept), type, version)
  }

  #encodable(wanted: Representation, type: ResourceType, version: CompiledVersion): Representation {
    if (wanted.format !== 'protobuf' || this.protobuf.canEncode(version)) return wanted
    if (wanted.fallback) return wanted.fallback
    throw notAcceptable(`${type.kind} has no Protobuf form; accept application/json as well`, {})
  }

  /** Answers with a stored object, given as the bytes of the storage version. */
  respond(context: RequestContext, status: number, type: ResourceType, version: CompiledVersion, body: Buffer): void {
    const { format, as } = context.representation!
    if (format === 'json' && as === 'object' && version.isStorage && !context.isPretty && !context.auditBodies) {
      const { jsonStart } = version
      const answer = Buffer.allocUnsafe(jsonStart.length + body.length)
      jsonStart.copy(answer)
      body.copy(answer, jsonStart.length, 1)
      answer[answer.length - 1] = newline
      context.exchange.send(status, jsonHeaders(), answer)
      return
    }
    this.respondObject(context, status, type, version, type.fromStorage(fromStoredBody(body), version))
  }

  /** Answers with an object of the wanted version, without kind and apiVersion. */
  respondObject(
    context: RequestContext,
    status: number,
    type: ResourceType,
    version: CompiledVersion,
    object: ApiObject,
  ): void {
    const { as, metaVersion, format } = context.representation!
    if (as === 'Table') {
      const include = parseIncludeObject(context.info.query)
      const listMeta = { resourceVersion: object.metadata.resourceVersion }
      return this.#send(context, status, this.tables.make(type, version, metaVersion, [object], listMeta, include))
    }
    if (as === 'PartialObjectMetadataList') throw notAcceptable('one object has no PartialObjectMetadataList')
    if (as !== 'object') return this.#send(context, status, partialMetadata(this.vendor, metaVersion, object))
    if (format === 'protobuf')
      return this.#sendBytes(context, status, this.protobuf.encodeObject(type.kind, version, object))
    this.#send(context, status, { kind: type.kind, apiVersion: version.groupVersion, ...object })
  }

  respondList(
    context: RequestContext,
    type: ResourceType,
    version: CompiledVersion,
    metadata: object,
    objects: readonly ApiObject[],
  ): void | Promise<void> {
    const { as, metaVersion, format } = context.representation!
    if (as === 'Table') {
      const include = parseIncludeObject(context.info.query)
      return this.#send(context, 200, this.tables.make(type, version, metaVersion, objects, metadata, include))
    }
    if (as === 'PartialObjectMetadata') throw notAcceptable('a list has no PartialObjectMetadata, but a list of them')
    if (as !== 'object')
      return this.#send(context, 200, partialMetadataList(this.vendor, metaVersion, objects, metadata))
    if (format === 'protobuf') return this.streamProtobufList(context, type, version, metadata, () => [objects])
    this.#send(context, 200, { kind: `${type.kind}List`, apiVersion: version.groupVersion, metadata, items: objects })
  }

  /** Writes a list in Protobuf, in bounded memory. `batches` may be asked for twice and must give the same objects. */
  async streamProtobufList(
    context: RequestContext,
    type: ResourceType,
    version: CompiledVersion,
    metadata: object,
    batches: () => Iterable<Iterable<ApiObject>> | AsyncIterable<Iterable<ApiObject>>,
  ): Promise<void> {
    const codec = this.protobuf.codecOf(version)
    const pieces = encodeList({
      type: { apiVersion: version.groupVersion, kind: `${type.kind}List` },
      metadata: this.protobuf.encodeListMeta(metadata),
      items: async function* () {
        for await (const objects of batches()) yield encodedWith(codec, objects)
      },
    })
    const contentType = context.representation!.contentType
    const stream = context.exchange.stream(200, { 'Cache-Control': 'no-cache, private', 'Content-Type': contentType })
    try {
      for await (const piece of pieces) {
        if (stream.isClosed) return
        if (!stream.write(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength))) await stream.drained()
      }
    } catch (failure) {
      // Half a list must neither pass for all of it nor be waited for.
      stream.destroy()
      throw failure
    }
    stream.end()
  }

  /** Answers with any other object (discovery, reviews); views do not apply to it. */
  respondPlain(context: RequestContext, status: number, value: object): void {
    this.#send(context, status, value)
  }

  respondStatus(context: RequestContext, code: number, status: StatusBody): void {
    const headers = { 'Cache-Control': 'no-cache, private' }
    context.answeredStatus = status.status
    if (context.auditBodies) context.auditBodies.response = status
    writeStatus(
      context.exchange,
      code,
      status,
      headers,
      context.representation,
      context.isPretty,
      this.protobuf.encodeStatus,
    )
  }

  #send(context: RequestContext, status: number, value: object): void {
    const { format, contentType } = context.representation!
    if (context.auditBodies) context.auditBodies.response = value
    const headers: Headers = { 'Cache-Control': 'no-cache, private', 'Content-Type': contentType }
    const bytes = format === 'protobuf' ? this.protobuf.encodeDocument(value) : undefined
    if (bytes) context.exchange.send(status, headers, bytes)
    else if (format === 'yaml') context.exchange.send(status, headers, toYaml(value))
    else
      context.exchange.send(status, { ...headers, 'Content-Type': 'application/json' }, toJson(value, context.isPretty))
  }
  #sendBytes(context: RequestContext, status: number, bytes: Buffer): void {
    const headers: Headers = {
      'Cache-Control': 'no-cache, private',
      'Content-Type': context.representation!.contentType,
    }
    context.exchange.send(status, headers, bytes)
  }
}

function* encodedWith(codec: ProtobufCodec, objects: Iterable<ApiObject>): Iterable<Uint8Array> {
  for (const object of objects) yield codec.encode(object)
}

const newline = 0x0a
const jsonHeaders = (): Headers => ({ 'Cache-Control': 'no-cache, private', 'Content-Type': 'application/json' })
const toJson = (value: object, isPretty: boolean) =>
  `${isPretty ? JSON.stringify(value, null, 2) : JSON.stringify(value)}\n`
