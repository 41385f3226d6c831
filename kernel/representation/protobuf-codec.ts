import { type ApiObject, badRequest, type ServedLevel } from 'orch/sdk'
import { isMetaType, metaType } from '../schema/meta-types.js'
import type { StructNode } from '../schema/type-model.js'
import type { CompiledVersion } from '../types/compiled-version.js'
import {
  compileProtobuf,
  type EncodedFields,
  hasProtobuf,
  type JoinedTexts,
  type ProtobufCodec,
} from './protobuf/codec.js'
import { eventAround, unwrapEnvelope, watchFrame, wrapEnvelope } from './protobuf/envelope.js'
import { itemsField } from './protobuf/list.js'
import type { Allocate } from './protobuf/wire-writer.js'
import type { StatusBody } from './write-status.js'

/** The Protobuf form of all responses of the verbs. Codecs are compiled on first use: most servers serve JSON only. */
export class ProtobufForms {
  readonly #codecs = new Map<StructNode, ProtobufCodec | undefined>()
  readonly #level: ServedLevel

  constructor(level: ServedLevel) {
    this.#level = level
  }

  canEncode(version: CompiledVersion): boolean {
    return version.definition.protobuf !== false && this.#codec(version.model) !== undefined
  }

  encodeObject(kind: string, version: CompiledVersion, object: object): Buffer {
    const raw = this.codecOf(version).encode(object)
    return wrapEnvelope({ apiVersion: version.groupVersion, kind }, raw)
  }

  /** The same for an object that is stored in this version, given as its JSON. */
  encodeStored(kind: string, version: CompiledVersion, body: Buffer): Buffer {
    return wrapEnvelope({ apiVersion: version.groupVersion, kind }, this.codecOf(version).transcode(body))
  }

  /** Items of a list, from objects or from stored JSON. */
  encodeItems(version: CompiledVersion, objects: Iterable<object>): EncodedFields {
    return this.codecOf(version).encodeFields(itemsField, objects)
  }
  encodeStoredItems(version: CompiledVersion, texts: JoinedTexts): EncodedFields {
    return this.codecOf(version).transcodeFields(itemsField, texts)
  }

  decodeObject(body: Buffer, kind: string, version: CompiledVersion, maxItems?: number): ApiObject {
    const { raw, ...sent } = unwrapEnvelope(body)
    // Kind and apiVersion default to those of the path, as in the other formats.
    const named = { kind: sent.kind || kind, apiVersion: sent.apiVersion || version.groupVersion }
    if (named.kind !== kind || named.apiVersion !== version.groupVersion) {
      throw badRequest(`expected a ${kind} of ${version.groupVersion}, not a ${named.kind} of ${named.apiVersion}`)
    }
    const object = version.decode(this.codecOf(version).decode(raw, maxItems), { maxItems }) as ApiObject
    object.metadata ??= {}
    return object
  }

  decodeDeleteOptions(body: Buffer): Record<string, unknown> {
    const { raw, kind, apiVersion } = unwrapEnvelope(body)
    return { kind, apiVersion, ...this.#required(metaType('DeleteOptions', this.#level)).decode(raw) }
  }

  readonly encodeStatus = (status: StatusBody): Buffer => {
    const raw = this.#required(metaType('Status', this.#level)).encode(status)
    return wrapEnvelope({ apiVersion: status.apiVersion, kind: status.kind }, raw)
  }

  /** A document of the API itself (discovery, metadata of objects); undefined for one that has no Protobuf form. */
  encodeDocument(document: { kind?: string; apiVersion?: string }): Buffer | undefined {
    const { kind = '', apiVersion = '' } = document
    if (!isMetaType(kind)) return undefined
    return wrapEnvelope({ apiVersion, kind }, this.#required(metaType(kind, this.#level)).encode(document))
  }

  encodeListMeta(metadata: object): Uint8Array {
    return this.#required(metaType('ListMeta', this.#level)).encode(metadata)
  }

  encodeWatchEvent(eventType: string, kind: string, version: CompiledVersion, object: object): Buffer {
    return watchFrame(eventType, this.encodeObject(kind, version, object))
  }
  encodeStoredEvent(eventType: string, kind: string, version: CompiledVersion, body: Buffer): Buffer {
    return watchFrame(eventType, this.encodeStored(kind, version, body))
  }
  /** Stored objects as consecutive ADDED events. */
  encodeStoredInitial(kind: string, version: CompiledVersion, texts: JoinedTexts, allocate: Allocate): Buffer {
    const around = eventAround('ADDED', { apiVersion: version.groupVersion, kind })
    return this.codecOf(version).transcodeEvents(around, texts, allocate)
  }
  /** An event with only the metadata of an object. */
  encodeMetadataEvent(eventType: string, apiVersion: string, metadata: object): Buffer {
    const kind = 'PartialObjectMetadata'
    return watchFrame(
      eventType,
      wrapEnvelope({ apiVersion, kind }, this.#required(metaType(kind, this.#level)).encode({ metadata })),
    )
  }
  encodeErrorEvent(status: StatusBody): Buffer {
    return watchFrame('ERROR', this.encodeStatus(status))
  }

  codecOf(version: CompiledVersion): ProtobufCodec {
    return this.#required(version.model)
  }
  #required(model: StructNode): ProtobufCodec {
    const codec = this.#codec(model)
    if (!codec) throw new Error(`${model.name} has no Protobuf form`)
    return codec
  }
  #codec(model: StructNode): ProtobufCodec | undefined {
    if (!this.#codecs.has(model)) this.#codecs.set(model, hasProtobuf(model) ? compileProtobuf(model) : undefined)
    return this.#codecs.get(model)
  }
}
