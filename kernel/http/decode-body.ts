import { ApiError, badRequest, type Vendor } from 'orch/sdk'
import { parseYaml } from './parse-yaml.js'

export type BodyFormat = 'json' | 'yaml' | 'protobuf'

/** The format of a request body by its Content-Type; JSON when there is none. 415 for anything else. */
export function bodyFormat(contentType: string | undefined, vendor: Vendor): BodyFormat {
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  switch (type) {
    case '':
    case 'application/json':
      return 'json'
    case 'application/yaml':
      return 'yaml'
    case vendor.profile.protobufMediaType:
      return 'protobuf'
    default: {
      const offered = ['application/json', 'application/yaml', vendor.profile.protobufMediaType]
      const message = `the body of the request was in an unknown format - accepted media types include: ${offered.join(', ')}`
      throw new ApiError(415, 'UnsupportedMediaType', message)
    }
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Bytes as text; a 400 when they are not UTF-8. */
export function decodeText(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch {
    throw badRequest('the body of the request is not valid UTF-8')
  }
}

/** Parses JSON text; a 400 that says where it is broken otherwise. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    if (cause instanceof RangeError) throw badRequest('the body of the request nests too deeply')
    throw badRequest(`couldn't parse the request body as JSON: ${withoutQuotes((cause as Error).message)}`)
  }
}

/** What the parser says quotes the body, which may be a Secret, and errors are logged: only the place is told. */
const withoutQuotes = (message: string): string =>
  message.replace(/,? ?(?:\.\.\.)?".*"(?:\.\.\.)?(?: is not valid JSON)?/s, '').slice(0, 200) || 'it is not JSON'

/** Parses text of a format into a JSON value. */
export function parseText(format: 'json' | 'yaml', body: Buffer): unknown {
  if (body.length === 0) throw badRequest('the request has no body')
  const text = decodeText(body)
  return format === 'json' ? parseJson(text) : parseYaml(text)
}
