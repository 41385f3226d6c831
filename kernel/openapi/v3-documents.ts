import type { Vendor } from 'orch/sdk'
import type { JsonObject } from '../../libs/json/index.js'
import { Turns } from '../contracts/turns.js'
import { areSameTypes, DocumentParts } from './document-parts.js'
import { describeInV3, groupVersionDocument, typesByPath } from './openapi-v3.js'
import type { ServedType } from './operation.js'
import { encodeOpenApiV3 } from './v3-protobuf.js'
import { answerOf, ItemTexts, type OpenApiAnswer, sectionsOf, writeJson } from './write-document.js'

interface V3Document {
  readonly types: readonly ServedType[]
  readonly parts: DocumentParts
  contents?: Promise<JsonObject>
  answer?: Promise<OpenApiAnswer>
  protobuf?: Promise<OpenApiAnswer>
}
/** The forms in which documents are served. */
export type V3Form = 'json' | 'protobuf'
/** The media types of the index and of the documents. */
export interface V3MediaTypes {
  readonly index: string
  readonly json: string
  readonly protobuf: string
}

/** The documents of version 3, one for each group and version. Only those whose types changed are rebuilt. */
export class V3Documents {
  readonly #vendor: Vendor
  readonly #texts = new ItemTexts()
  #documents = new Map<string, V3Document>()
  #index: Promise<OpenApiAnswer> | undefined

  readonly #types: V3MediaTypes

  constructor(vendor: Vendor, types: V3MediaTypes) {
    this.#vendor = vendor
    this.#types = types
  }

  update(served: readonly ServedType[], others: ReadonlyMap<string, object> = new Map()): this {
    const before = this.#documents
    this.#documents = new Map()
    this.#index = undefined
    for (const [path, types] of typesByPath(served)) {
      const known = before.get(path)
      if (known && areSameTypes(known.types, types)) this.#documents.set(path, known)
      else {
        const parts = known?.parts ?? new DocumentParts(each => describeInV3(each, this.#vendor))
        this.#documents.set(path, { types, parts })
      }
    }
    for (const [path, document] of others)
      if (!this.#documents.has(path)) {
        const answer = writeJson(this.#types.json, [document as JsonObject], this.#texts, new Turns())
        const parts = new DocumentParts(each => describeInV3(each, this.#vendor))
        this.#documents.set(path, { types: [], parts, contents: Promise.resolve(document as JsonObject), answer })
      }
    return this
  }

  /** The index at the root, or the document of a group and version; undefined where there is none. */
  answer(path: string, form: V3Form = 'json'): Promise<OpenApiAnswer> | undefined {
    if (path === '/openapi/v3') return (this.#index ??= this.#makeIndex(new Turns()))
    const name = path.slice('/openapi/v3/'.length)
    const document = path.startsWith('/openapi/v3/') ? this.#documents.get(name) : undefined
    if (!document) return undefined
    return form === 'json' ? this.#made(document, new Turns()) : (document.protobuf ??= this.#encode(document))
  }

  #made(document: V3Document, turns: Turns): Promise<OpenApiAnswer> {
    document.answer ??= this.#make(document, turns)
    return document.answer
  }
  async #make(document: V3Document, turns: Turns): Promise<OpenApiAnswer> {
    const sections = sectionsOf(await this.#contents(document), ['paths', 'components.schemas'])
    return writeJson(this.#types.json, sections, this.#texts, turns)
  }
  async #encode(document: V3Document): Promise<OpenApiAnswer> {
    const { hash = '' } = await this.#made(document, new Turns())
    const body = await encodeOpenApiV3(await this.#contents(document), new Turns())
    return { ...answerOf(this.#types.protobuf, body), hash }
  }
  #contents(document: V3Document): Promise<JsonObject> {
    document.contents ??= new Turns()
      .finish(document.parts.contents(document.types))
      .then(contents => groupVersionDocument(contents, this.#vendor))
    return document.contents
  }

  /** The paths of the documents. The hash allows clients to cache them forever. */
  async #makeIndex(turns: Turns): Promise<OpenApiAnswer> {
    const paths: Record<string, object> = {}
    for (const [path, document] of this.#documents) {
      const { hash } = await this.#made(document, turns)
      paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }
    }
    return writeJson(this.#types.index, [{ paths }], this.#texts, turns)
  }
}
