import { type ApiObject, andThen, type Clock, type Vendor } from 'orch/sdk'
import { writeJson, writePretty } from '../../libs/json/index.js'
import type { Headers } from '../contracts/exchange.js'
import { notAcceptable } from '../contracts/protocol-errors.js'
import type { MediaFormat, Representation } from '../contracts/representation.js'
import type { RequestContext } from '../contracts/request-context.js'
import { sendPieces } from '../contracts/send-bytes.js'
import type { Derivable } from '../schema/derive.js'
import type { CompiledVersion } from '../types/compiled-version.js'
import type { ResourceType } from '../types/resource-type.js'
import { fromStoredBody } from '../types/stored-json.js'
import { ListText, listItem } from './list-text.js'
import { Negotiator } from './negotiate.js'
import { partialMetadata, partialMetadataList, singleMetadata } from './partial-metadata.js'
import { encodeList, type ProtobufListOptions } from './protobuf/list.js'
import { ProtobufForms } from './protobuf-codec.js'
import { parseIncludeObject, TableMaker } from './table.js'
import { type StatusBody, writeStatus } from './write-status.js'
import type { YamlBodies } from './yaml-bodies.js'
import { sendYamlList } from './yaml-list.js'

/** A list as JSON, piece by piece. */
export interface JsonListForm {
  readonly text: ListText
  /** The items of the list, with commas between them. */
  print(objects: readonly ApiObject[]): string | Promise<string>
}

/** Writes responses in the negotiated form. Stored bytes that are sent as plain JSON are never parsed. */
export class Representations implements Derivable {
  derived?: Map<unknown, unknown>
  readonly negotiator: Negotiator
  readonly protobuf: ProtobufForms
  readonly tables: TableMaker
  readonly vendor: Vendor
  readonly #yaml: YamlBodies
  #tables = 0

  constructor(vendor: Vendor, clock: Clock, yaml: YamlBodies) {
    this.vendor = vendor
    this.#yaml = yaml
    this.protobuf = new ProtobufForms(vendor.level)
    this.negotiator = new Negotiator(vendor)
    this.tables = new TableMaker(vendor, () => clock.now())
  }

  /** The form of the response for a type; 406 if the client accepts no form of the type. */
  negotiate(context: RequestContext, type: ResourceType, version: CompiledVersion): Representation {
    const { accept } = context.exchange.headers
    const wanted = this.negotiator.negotiate(accept, type.conventions.mediaTypeErrorsHaveDetails)
    if (wanted.format === 'yaml' && context.info.verb === 'watch')
      throw notAcceptable('events cannot be watched as YAML')
    if (wanted.as === 'Table' && context.info.query.size > 0) parseIncludeObject(context.info.query)
    return this.#encodable(context, wanted, type, version)
  }

  /** The same for a response without columns. */
  negotiatePlain(context: RequestContext, type: ResourceType, version: CompiledVersion): Representation {
    const { mediaTypeErrorsHaveDetails } = type.conventions
    const wanted = this.negotiator.negotiatePlain(context.exchange.headers.accept, true, mediaTypeErrorsHaveDetails)
    return this.#encodable(context, wanted, type, version)
  }

  #encodable(
    context: RequestContext,
    wanted: Representation,
    type: ResourceType,
    version: CompiledVersion,
  ): Representation {
    // Metadata has a Protobuf form, whatever the type.
    if (wanted.format !== 'protobuf' || wanted.as !== 'object') return wanted
    const { hasProtobuf, mediaTypeErrorsHaveDetails } = type.conventions
    if (hasProtobuf && this.protobuf.canEncode(version)) return wanted
    if (wanted.fallback) return { ...wanted.fallback, ofErrors: wanted }
    context.representation = wanted
    const message = `${type.kind} has no Protobuf form; accept application/json as well`
    throw notAcceptable(message, mediaTypeErrorsHaveDetails ? {} : undefined)
  }

  /** Distinguishes watches whose Tables cannot be shared. */
  newTableId(): number {
    return ++this.#tables
  }

  /** Responds with a stored object, given as the bytes of the storage version. */
  respond(
    context: RequestContext,
    status: number,
    type: ResourceType,
    version: CompiledVersion,
    body: Buffer,
  ): void | Promise<void> {
    const { format, as } = context.representation!
    const isAsStored = as === 'object' && version.isStoredAsIs && !context.audit.recordsAnswer
    if (isAsStored && format === 'json' && !context.isPretty) {
      const { jsonStart } = version
      const answer = Buffer.allocUnsafe(jsonStart.length + body.length)
      jsonStart.copy(answer)
      body.copy(answer, jsonStart.length, 1)
      answer[answer.length - 1] = newline
      context.exchange.send(status, jsonHeaders(), answer)
      return
    }
    if (isAsStored && format === 'protobuf')
      return this.#sendBytes(context, status, this.protobuf.encodeStored(type.kind, version, body))
    const shown = type.inVersion([fromStoredBody(body)], version)
    return andThen(shown, ([object]) => this.respondObject(context, status, type, version, object!))
  }

  /** Responds with an object of the requested version, without kind and apiVersion. */
  respondObject(
    context: RequestContext,
    status: number,
    type: ResourceType,
    version: CompiledVersion,
    object: ApiObject,
  ): void | Promise<void> {
    const { as, metaVersion, format } = context.representation!
    if (as === 'Table') {
      const include = parseIncludeObject(context.info.query)
      const listMeta = { resourceVersion: object.metadata.resourceVersion }
      return andThen(this.tables.prepare(type, version, [object]), () =>
        this.#send(context, status, this.tables.make(type, version, metaVersion, [object], listMeta, include)),
      )
    }
    if (as !== 'object')
      return this.#send(context, status, singleMetadata(this.vendor, context.representation!, object))
    if (format === 'protobuf') return this.respondProtobuf(context, status, type.kind, version, object)
    return this.#send(context, status, { kind: type.kind, apiVersion: version.groupVersion, ...object })
  }

  /** Responds with an object of any kind in Protobuf. */
  respondProtobuf(
    context: RequestContext,
    status: number,
    kind: string,
    version: CompiledVersion,
    object: ApiObject,
  ): void {
    context.audit.recordAnswer(() => ({ kind, apiVersion: version.groupVersion, ...object }))
    this.#sendBytes(context, status, this.protobuf.encodeObject(kind, version, object))
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
      return andThen(this.tables.prepare(type, version, objects), () =>
        this.#send(context, 200, this.tables.make(type, version, metaVersion, objects, metadata, include)),
      )
    }
    rejectSingleView(as)
    if (as !== 'object')
      return this.#send(context, 200, partialMetadataList(this.vendor, metaVersion, objects, metadata))
    const document = () => {
      const items = objects.map(listItem(type, version))
      return { kind: type.listKind, apiVersion: version.groupVersion, metadata, items }
    }
    if (format !== 'protobuf') return this.#send(context, 200, document())
    context.audit.recordAnswer(document)
    return this.streamProtobufList(
      context,
      type,
      version,
      () => metadata,
      () => [this.protobuf.encodeItems(version, objects)],
    )
  }

  /** The writer of a list in chunks as JSON, in the requested view. */
  listForm(context: RequestContext, type: ResourceType, version: CompiledVersion): JsonListForm {
    const { as, metaVersion } = context.representation!
    const { isPretty } = context
    if (as === 'Table') {
      const include = parseIncludeObject(context.info.query)
      const text = new ListText(this.tables.start(metaVersion), this.tables.columns(version), 'rows', isPretty)
      return {
        text,
        print: objects =>
          andThen(this.tables.prepare(type, version, objects), () =>
            text.items(this.tables.rows(type, version, metaVersion, objects, include)),
          ),
      }
    }
    rejectSingleView(as)
    if (as !== 'object') {
      const { metaGroup } = this.vendor
      const start = { kind: 'PartialObjectMetadataList', apiVersion: `${metaGroup}/${metaVersion}` }
      const text = new ListText(start, {}, 'items', isPretty)
      return {
        text,
        print: objects => text.items(objects.map(each => partialMetadata(this.vendor, metaVersion, each))),
      }
    }
    const text = new ListText({ kind: type.listKind, apiVersion: version.groupVersion }, {}, 'items', isPretty)
    return { text, print: objects => text.items(objects.map(listItem(type, version))) }
  }

  /**
   * Writes a list in Protobuf, in bounded memory. The batches of items, encoded without envelopes, may be read twice and must then be
   * the same; the metadata is requested after the first time.
   */
  async streamProtobufList(
    context: RequestContext,
    type: ResourceType,
    version: CompiledVersion,
    metadata: () => object,
    items: ProtobufListOptions['items'],
  ): Promise<void> {
    const pieces = encodeList({
      type: { apiVersion: version.groupVersion, kind: type.listKind },
      metadata: () => this.protobuf.encodeListMeta(metadata()),
      mayKeep: bytes => context.exchange.hold(bytes),
      items,
    })
    const contentType = context.representation!.contentType
    await sendPieces(context.exchange, { 'Cache-Control': 'no-cache, private', 'Content-Type': contentType }, pieces)
  }

  /** Responds with any other object (discovery, reviews); views do not apply to it. */
  respondPlain(context: RequestContext, status: number, value: object): void | Promise<void> {
    return this.#send(context, status, value)
  }

  /** A document of the API itself, given as JSON, in a format; JSON is indented. */
  print(json: string, format: MediaFormat): string | Buffer | Promise<string> {
    if (format === 'yaml') return this.#yaml.print(json)
    const document = JSON.parse(json)
    if (format === 'json') return `${writePretty(document)}\n`
    return this.protobuf.encodeDocument(document)!
  }

  respondStatus(context: RequestContext, code: number, status: StatusBody): void {
    const headers = { 'Cache-Control': 'no-cache, private' }
    context.audit.answeredStatus = status.status
    context.audit.recordAnswer(() => status)
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

  /** See `sendYamlList`. */
  streamYamlList(
    context: RequestContext,
    type: ResourceType,
    version: CompiledVersion,
    batches: AsyncIterable<string>,
    metadata: () => object,
  ): Promise<void> {
    const headers = { 'Cache-Control': 'no-cache, private', 'Content-Type': context.representation!.contentType }
    const names = { kind: type.listKind, apiVersion: version.groupVersion }
    return sendYamlList(context.exchange, headers, this.#yaml, names, batches, metadata)
  }

  #send(context: RequestContext, status: number, value: object): void | Promise<void> {
    const { format, contentType } = context.representation!
    const { exchange } = context
    context.audit.recordAnswer(() => value)
    const headers: Headers = { 'Cache-Control': 'no-cache, private', 'Content-Type': contentType }
    const bytes = format === 'protobuf' ? this.protobuf.encodeDocument(value) : undefined
    if (bytes) return exchange.send(status, headers, bytes)
    if (format !== 'yaml')
      return exchange.send(status, { ...headers, 'Content-Type': 'application/json' }, toJson(value, context.isPretty))
    const text = this.#yaml.print(writeJson(value))
    if (typeof text === 'string') return exchange.send(status, headers, text)
    // The request may have timed out in the meantime.
    return text.then(later => void (exchange.isAnswered || exchange.send(status, headers, later)))
  }
  #sendBytes(context: RequestContext, status: number, bytes: Buffer): void {
    const { contentType } = context.representation!
    context.exchange.send(status, { 'Cache-Control': 'no-cache, private', 'Content-Type': contentType }, bytes)
  }
}

function rejectSingleView(as: Representation['as']): void {
  if (as === 'PartialObjectMetadata')
    throw notAcceptable('a list cannot be returned as PartialObjectMetadata; request PartialObjectMetadataList')
}

const newline = 0x0a
const jsonHeaders = (): Headers => ({ 'Cache-Control': 'no-cache, private', 'Content-Type': 'application/json' })
const toJson = (value: object, isPretty: boolean) => `${isPretty ? writePretty(value) : writeJson(value)}\n`
