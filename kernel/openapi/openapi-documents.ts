import { defineDifference, type Vendor } from 'orch/sdk'
import type { ApiDelegation } from 'orch/sdk/server'
import { notAcceptable } from '../contracts/protocol-errors.js'
import { Turns } from '../contracts/turns.js'
import { onceSucceeded } from '../schema/derive.js'
import type { ResourceTypes } from '../types/resource-types.js'
import { DocumentParts } from './document-parts.js'
import { mergeDocuments } from './merge-documents.js'
import { describeInV2, openApiV2 } from './openapi-v2.js'
import type { ServedType } from './operation.js'
import { encodeOpenApiV2, ItemBytes } from './v2-protobuf.js'
import { V3Documents } from './v3-documents.js'
import { answerOf, ItemTexts, type OpenApiAnswer, sectionsOf, writeJson } from './write-document.js'

export interface OpenApiDocuments {
  /** The response to /openapi/..., a status without a body, or undefined for an unknown path. */
  answer(path: string, accept: string | undefined): Promise<OpenApiAnswer> | 404 | 406 | undefined
}

/** The media type of the Protobuf form. Clients request it by an older name that they would not accept as a Content-Type. */
const protobufType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'
const protobufTypes = [protobufType, 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf']
const protobufTypeOfV3 = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf'
const oldProtobufTypeOfV3 = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf'
/** Older versions served JSON as text; clients parse it regardless of the media type. */
const textType = 'text/plain; charset=utf-8'
const v2IsJson = defineDifference({
  name: 'openapi-v2-is-json',
  since: '1.27',
  description: 'The OpenAPI v2 document has the media type application/json instead of text/plain.',
  knownFrom: 'recorded',
})

const v3IsJson = defineDifference({
  name: 'openapi-v3-is-json',
  since: '1.27',
  additive: true,
  description:
    'The OpenAPI v3 documents have the media type application/json instead of text/plain, and their Protobuf form has its own.',
  knownFrom: 'recorded',
})
const textIndex = defineDifference({
  name: 'openapi-v3-index-is-text',
  since: '1.23',
  description:
    'The index of the OpenAPI v3 documents has the media type text/plain, and a missing document has an empty response.',
  knownFrom: 'recorded',
})

/** The OpenAPI documents of everything served, built on request and cached until types change. */
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
  const documentForGeneration = <T>(make: () => Promise<T>): (() => Promise<T>) => {
    const current = forGeneration(() => onceSucceeded(make))
    return () => current()()
  }
  const parts = new DocumentParts(each => describeInV2(each, vendor))
  const texts = new ItemTexts()
  const bytes = new ItemBytes()
  const v2 = documentForGeneration(async () => {
    const turns = new Turns()
    const contents = await turns.finish(parts.contents(served()))
    await turns.next()
    return turns.finish(mergeDocuments(openApiV2(contents, vendor), others?.openApiV2() ?? []))
  })
  const v2JsonType = vendor.level.has(v2IsJson) ? 'application/json' : textType
  const v2Json = documentForGeneration(async () =>
    writeJson(v2JsonType, sectionsOf(await v2(), ['paths', 'definitions']), texts, new Turns()),
  )
  const v2Protobuf = documentForGeneration(async () =>
    answerOf(protobufType, await encodeOpenApiV2(await v2(), bytes, new Turns())),
  )
  const hasEmptyErrors = vendor.level.has(textIndex)
  const isJson = vendor.level.has(v3IsJson)
  const protobufTypesOfV3 = isJson ? [protobufTypeOfV3, oldProtobufTypeOfV3] : [oldProtobufTypeOfV3]
  const v3 = new V3Documents(vendor, {
    index: hasEmptyErrors ? textType : 'application/json',
    json: isJson ? 'application/json' : textType,
    protobuf: isJson ? protobufTypeOfV3 : 'application/octet-stream',
  })
  const v3Current = forGeneration(() => v3.update(served(), others?.openApiV3()))
  return {
    answer(path, accept) {
      if (path !== '/openapi/v2') {
        const form = path === '/openapi/v3' ? 'json' : requestedForm(accept, protobufTypesOfV3)
        if (!form) {
          if (hasEmptyErrors) return 406
          throw notAcceptable(`only the following media types are accepted: application/json, ${protobufTypesOfV3[0]}`)
        }
        const answer = v3Current().answer(path, form)
        return answer ?? (hasEmptyErrors && path.startsWith('/openapi/v3/') ? 404 : undefined)
      }
      const form = requestedForm(accept, protobufTypes)
      if (!form) throw notAcceptable(`only the following media types are accepted: application/json, ${protobufType}`)
      return form === 'json' ? v2Json() : v2Protobuf()
    },
  }
}

function requestedForm(accept = '*/*', ofProtobuf: readonly string[]): 'json' | 'protobuf' | undefined {
  const clauses = accept.split(',').map(clause => {
    const [type = '', ...parameters] = clause.split(';').map(part => part.trim())
    const quality = parameters.find(parameter => parameter.startsWith('q='))?.slice(2)
    return { type: type.toLowerCase(), quality: Number(quality ?? 1) }
  })
  for (const { type } of clauses.sort((left, right) => right.quality - left.quality)) {
    if (type === '' || type === '*/*' || type === 'application/*' || type === 'application/json') return 'json'
    if (ofProtobuf.includes(type)) return 'protobuf'
  }
  return undefined
}
