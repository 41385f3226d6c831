import type { Vendor } from 'orch/sdk'
import type { Json } from './definitions.js'
import { DocumentParts, isSame } from './document-parts.js'
import { describeInV3, groupVersionDocument, typesByPath } from './openapi-v3.js'
import type { ServedType } from './operation.js'
import { Turns } from './turns.js'
import { ItemTexts, type OpenApiAnswer, sectionsOf, writeJson } from './write-document.js'

interface V3Document {
  readonly types: readonly ServedType[]
  readonly parts: DocumentParts
  answer?: Promise<OpenApiAnswer>
}

/** The documents of version 3, one for each group and version. Those whose types stay are kept when others come and go. */
export class V3Documents {
  readonly #vendor: Vendor
  readonly #texts = new ItemTexts()
  #documents = new Map<string, V3Document>()
  #index: Promise<OpenApiAnswer> | undefined

  constructor(vendor: Vendor) {
    this.#vendor = vendor
  }

  update(served: readonly ServedType[], others: ReadonlyMap<string, object> = new Map()): this {
    const before = this.#documents
    this.#documents = new Map()
    this.#index = undefined
    for (const [path, types] of typesByPath(served)) {
      const known = before.get(path)
      if (known && isSame(known.types, types)) this.#documents.set(path, known)
      else {
        const parts = known?.parts ?? new DocumentParts(each => describeInV3(each, this.#vendor))
        this.#documents.set(path, { types, parts })
      }
    }
    for (const [path, document] of others)
      if (!this.#documents.has(path)) {
        const answer = writeJson('application/json', [document as Json], this.#texts, new Turns())
        this.#documents.set(path, {
          types: [],
          parts: new DocumentParts(each => describeInV3(each, this.#vendor)),
          answer,
        })
      }
    return this
  }

  /** The index at the root, or the document of a group and version; undefined where there is none. */
  answer(path: string): Promise<OpenApiAnswer> | undefined {
    if (path === '/openapi/v3') return (this.#index ??= this.#makeIndex(new Turns()))
    const name = path.slice('/openapi/v3/'.length)
    const document = path.startsWith('/openapi/v3/') ? this.#documents.get(name) : undefined
    return document && this.#made(document, new Turns())
  }

  #made(document: V3Document, turns: Turns): Promise<OpenApiAnswer> {
    document.answer ??= this.#make(document, turns)
    return document.answer
  }
  async #make({ types, parts }: V3Document, turns: Turns): Promise<OpenApiAnswer> {
    const document = groupVersionDocument(await turns.finish(parts.contents(types)), this.#vendor)
    return writeJson('application/json', sectionsOf(document, ['paths', 'components.schemas']), this.#texts, turns)
  }

  /** Where the documents are. The hash lets clients cache them for good. */
  async #makeIndex(turns: Turns): Promise<OpenApiAnswer> {
    const paths: Record<string, object> = {}
    for (const [path, document] of this.#documents) {
      const { hash } = await this.#made(document, turns)
      paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }
    }
    return writeJson('application/json', [{ paths }], this.#texts, turns)
  }
}
