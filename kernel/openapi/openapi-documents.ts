import { createHash } from 'node:crypto'
import { type ApiDelegation, notAcceptable, type Vendor } from 'orch/sdk'
import type { ResourceTypes } from '../types/resource-types.js'
import { mergeDocuments } from './merge-documents.js'
import { openApiV2 } from './openapi-v2.js'
import { groupVersionDocument, typesByPath } from './openapi-v3.js'
import type { ServedType } from './operation.js'
import { encodeOpenApiV2 } from './v2-protobuf.js'

export interface OpenApiDocuments {
  /** The answer to /openapi/..., or undefined for a path below it that does not exist. */
  answer(path: string, accept: string | undefined): { contentType: string; body: Buffer; etag?: string } | undefined
}
interface OpenApiAnswer {
  readonly contentType: string
  readonly body: Buffer
  readonly etag: string
}

/** The name of the Protobuf form. Clients ask for it in an older spelling that they could not read as a Content-Type. */
const protobufType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'
const protobufTypes = [protobufType, 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf']
/** The JSON of version 2 has always been served as text, and its clients parse it whatever it is called. */
const v2JsonType = 'text/plain; charset=utf-8'

/** The OpenAPI documents of everything served, made when they are asked for and kept until types change. */
export function openApiDocuments(types: ResourceTypes, vendor: Vendor, others?: ApiDelegation): OpenApiDocuments {
  const served = (): ServedType[] =>
    types
      .list()
      .flatMap(({ definition, served: versions }) =>
        versions.map(version => ({ definition, version: version.definition })),
      )
  const forGeneration = <T>(make: () => T): (() => T) => {
    let made: { readonly generation: string; readonly value: T } | undefined
    return () => {
      const generation = `${types.generation} ${others?.generation ?? 0}`
      if (made?.generation !== generation) made = { generation, value: make() }
      return made.value
    }
  }
  const v2 = forGeneration(() => mergeDocuments(openApiV2(served(), vendor), others?.openApiV2() ?? []))
  const v2Json = forGeneration(() => answer(v2JsonType, Buffer.from(JSON.stringify(v2()))))
  const v2Protobuf = forGeneration(() => answer(protobufType, encodeOpenApiV2(v2())))
  const v3 = new V3Documents(vendor)
  const v3Current = forGeneration(() => v3.update(served(), others?.openApiV3()))
  return {
    answer(path, accept) {
      if (path !== '/openapi/v2') return v3Current().answer(path)
      const form = wantedForm(accept)
      if (!form) throw notAcceptable(`only the following media types are accepted: application/json, ${protobufType}`)
      return form === 'json' ? v2Json() : v2Protobuf()
    },
  }
}

interface V3Document {
  readonly types: readonly ServedType[]
  answer?: OpenApiAnswer
}

/** The documents of version 3, one for each group and version. Those whose types stay are kept when others come and go. */
export class V3Documents {
  readonly #vendor: Vendor
  #documents = new Map<string, V3Document>()
  #index: OpenApiAnswer | undefined

  constructor(vendor: Vendor) {
    this.#vendor = vendor
  }
  update(served: readonly ServedType[], others: ReadonlyMap<string, object> = new Map()): this {
    const before = this.#documents
    this.#documents = new Map()
    this.#index = undefined
    for (const [path, types] of typesByPath(served)) {
      const known = before.get(path)
      this.#documents.set(path, known && isSame(known.types, types) ? known : { types })
    }
    for (const [path, document] of others)
      if (!this.#documents.has(path)) this.#documents.set(path, { types: [], answer: jsonAnswer(document) })
    return this
  }
  answer(path: string): OpenApiAnswer | undefined {
    if (path === '/openapi/v3') return (this.#index ??= this.#makeIndex())
    const name = path.slice('/openapi/v3/'.length)
    const document = path.startsWith('/openapi/v3/') ? this.#documents.get(name) : undefined
    return document && this.#made(document)
  }

  #made(document: V3Document): OpenApiAnswer {
    document.answer ??= jsonAnswer(groupVersionDocument(document.types, this.#vendor))
    return document.answer
  }
  /** Where the documents are. The hash lets clients cache them for good. */
  #makeIndex(): OpenApiAnswer {
    const paths: Record<string, object> = {}
    for (const [path, document] of this.#documents) {
      const hash = createHash('sha512').update(this.#made(document).body).digest('hex').toUpperCase()
      paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }
    }
    return jsonAnswer({ paths })
  }
}

const isSame = (left: readonly ServedType[], right: readonly ServedType[]): boolean =>
  left.length === right.length && left.every(({ version }, index) => version === right[index]!.version)

function wantedForm(accept = '*/*'): 'json' | 'protobuf' | undefined {
  const clauses = accept.split(',').map(clause => {
    const [type = '', ...parameters] = clause.split(';').map(part => part.trim())
    const quality = parameters.find(parameter => parameter.startsWith('q='))?.slice(2)
    return { type: type.toLowerCase(), quality: Number(quality ?? 1) }
  })
  for (const { type } of clauses.sort((left, right) => right.quality - left.quality)) {
    if (type === '' || type === '*/*' || type === 'application/*' || type === 'application/json') return 'json'
    if (protobufTypes.includes(type)) return 'protobuf'
  }
  return undefined
}

const jsonAnswer = (document: object): OpenApiAnswer =>
  answer('application/json', Buffer.from(JSON.stringify(document)))

function answer(contentType: string, body: Buffer): OpenApiAnswer {
  return { contentType, body, etag: `"${createHash('sha256').update(body).digest('hex').toUpperCase()}"` }
}
