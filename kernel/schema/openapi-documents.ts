import { createHash } from 'node:crypto'
import { notAcceptable, type Vendor } from 'orch/sdk'
import type { OpenApiDocuments } from '../http/serve-paths.js'
import type { ResourceTypes } from '../resources/resource-types.js'
import { once } from './once.js'
import { encodeOpenApiV2 } from './openapi/v2-protobuf.js'
import { openApiV2, type ServedType } from './openapi-v2.js'
import { openApiV3, openApiV3Index } from './openapi-v3.js'

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

/** The OpenAPI documents of everything served, made on first request: most servers are never asked. */
export function openApiDocuments(types: ResourceTypes, vendor: Vendor): OpenApiDocuments {
  const served = (): ServedType[] =>
    types
      .list()
      .flatMap(({ definition, served: versions }) =>
        versions.map(version => ({ definition, version: version.definition })),
      )
  const v2 = once(() => openApiV2(served(), vendor))
  const v2Json = once(() => answer(v2JsonType, Buffer.from(JSON.stringify(v2()))))
  const v2Protobuf = once(() => answer(protobufType, encodeOpenApiV2(v2())))
  const v3 = once(() => {
    const documents = openApiV3(served(), vendor)
    const answers = new Map([['/openapi/v3', jsonAnswer(openApiV3Index(documents))]])
    for (const [path, document] of documents) answers.set(`/openapi/v3/${path}`, jsonAnswer(document))
    return answers
  })
  return {
    answer(path, accept) {
      if (path !== '/openapi/v2') return v3().get(path)
      const form = wantedForm(accept)
      if (!form) throw notAcceptable(`only the following media types are accepted: application/json, ${protobufType}`)
      return form === 'json' ? v2Json() : v2Protobuf()
    },
  }
}

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
