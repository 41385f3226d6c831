import type { Vendor } from 'orch/sdk'
import type { JsonObject } from '../../libs/json/index.js'
import { Turns } from '../contracts/turns.js'
import { onceSucceeded } from '../schema/derive.js'
import { areSameTypes, DocumentParts } from './document-parts.js'
import { describeInV3, groupVersionDocument, typesByPath } from './openapi-v3.js'
import type { ServedType } from './operation.js'
import { encodeOpenApiV3 } from './v3-protobuf.js'
import { answerOf, ItemTexts, type OpenApiAnswer, type Section, sectionsOf, writeJson } from './write-document.js'

/** A document. Its forms are built on request. */
interface V3Document {
  readonly types: readonly ServedType[]
  readonly parts: DocumentParts | undefined
  /** The document of an extension server. */
  readonly foreign?: object
  json(): Promise<OpenApiAnswer>
  protobuf(): Promise<OpenApiAnswer>
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
  readonly #mediaTypes: V3MediaTypes
  readonly #texts = new ItemTexts()
  #documents = new Map<string, V3Document>()
  #index = onceSucceeded(() => this.#makeIndex())

  constructor(vendor: Vendor, mediaTypes: V3MediaTypes) {
    this.#vendor = vendor
    this.#mediaTypes = mediaTypes
  }

  update(served: readonly ServedType[], others: ReadonlyMap<string, object> = new Map()): this {
    const before = this.#documents
    this.#documents = new Map()
    this.#index = onceSucceeded(() => this.#makeIndex())
    for (const [path, types] of typesByPath(served)) {
      const known = before.get(path)
      const isSame = known !== undefined && areSameTypes(known.types, types)
      this.#documents.set(path, isSame ? known : this.#ownDocument(types, known?.parts))
    }
    for (const [path, document] of others) {
      if (this.#documents.has(path)) continue
      const known = before.get(path)
      this.#documents.set(path, known?.foreign === document ? known : this.#foreignDocument(document))
    }
    return this
  }

  /** The index at the root, or the document of a group and version; undefined where there is none. */
  answer(path: string, form: V3Form = 'json'): Promise<OpenApiAnswer> | undefined {
    if (path === '/openapi/v3') return this.#index()
    const document = path.startsWith('/openapi/v3/')
      ? this.#documents.get(path.slice('/openapi/v3/'.length))
      : undefined
    return document?.[form]()
  }

  #ownDocument(
    types: readonly ServedType[],
    parts = new DocumentParts(each => describeInV3(each, this.#vendor)),
  ): V3Document {
    const contents = onceSucceeded(async () =>
      groupVersionDocument(await new Turns().finish(parts.contents(types)), this.#vendor),
    )
    const sections = async () => sectionsOf(await contents(), ['paths', 'components.schemas'])
    return { types, parts, ...this.#formsOf(contents, sections) }
  }

  /** It may have any form, so it is written as it is. */
  #foreignDocument(foreign: object): V3Document {
    const contents = async () => foreign as JsonObject
    return { types: [], parts: undefined, foreign, ...this.#formsOf(contents, async () => [await contents()]) }
  }

  #formsOf(contents: () => Promise<JsonObject>, sections: () => Promise<readonly Section[]>) {
    const { json: jsonType, protobuf: protobufType } = this.#mediaTypes
    const json = onceSucceeded(async () => writeJson(jsonType, await sections(), this.#texts, new Turns()))
    const protobuf = onceSucceeded(async () => {
      const { hash = '' } = await json()
      return { ...answerOf(protobufType, await encodeOpenApiV3(await contents(), new Turns())), hash }
    })
    return { json, protobuf }
  }

  /** The paths of the documents. The hash allows clients to cache them forever. */
  async #makeIndex(): Promise<OpenApiAnswer> {
    const paths: Record<string, object> = {}
    for (const [path, document] of this.#documents) {
      const { hash } = await document.json()
      paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }
    }
    return writeJson(this.#mediaTypes.index, [{ paths }], this.#texts, new Turns())
  }
}
