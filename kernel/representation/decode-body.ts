import { ApiError, andThen, badRequest, type Vendor } from 'orch/sdk'
import type { RepeatedKey } from 'orch/sdk/host'
import { endOfString, parseInTurns } from '../../libs/json/index.js'
import { runInTurns, type TurnTaker } from '../contracts/in-turns.js'
import { maxJsonDepth, maxObjectItems, tooManyItems } from '../schema/decode-problem.js'
import type { YamlBodies } from './yaml-bodies.js'

export type BodyFormat = 'json' | 'yaml' | 'protobuf'

const parameter = /^\s*[\w!#$%&'*+.^`|~-]+=(?:[\w!#$%&'*+.^`|~-]+|"[^"]*")\s*$/

/** The media type in a Content-Type header, in lower case; undefined without a header, 'none' if it is empty. */
export function mediaTypeOf(contentType: string | undefined): string | undefined {
  if (!contentType) return undefined
  const [type = '', ...parameters] = contentType.split(';')
  // A trailing semicolon is accepted.
  if (parameters.at(-1)?.trim() === '') parameters.pop()
  const isWhole = type.trim() !== '' && parameters.every(each => parameter.test(each))
  return isWhole ? type.trim().toLowerCase() : 'none'
}

/** The format of a request body by its Content-Type; JSON when there is none. A 415 for anything else. */
export function bodyFormat(contentType: string | undefined, vendor: Vendor): BodyFormat {
  switch (mediaTypeOf(contentType)) {
    case undefined:
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

/** The maximum number of values in a body, per item that an object may have: an item is usually a struct with a few fields. */
const valuesPerItem = 12

/** Parses JSON text; a 400 with the position if it is invalid, a 413 if it has more items than an object may have. */
export function parseJson(text: string, maxItems = maxObjectItems): unknown {
  rejectLargeJson(text, maxItems)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw badRequest(`couldn't parse the request body as JSON: ${withoutQuotes((cause as Error).message)}`)
  }
}

/**
 * Rejects a text before it is parsed if it would be rejected afterwards, or would cost as much to parse: one that nests too deeply,
 * has too many items in one list or object, or too many values in total. Small texts need no check.
 */
function rejectLargeJson(text: string, maxItems: number): void {
  if (text.length <= maxJsonDepth) return
  const outer: number[] = []
  let items = 0
  let values = 0
  for (let position = 0; position < text.length; position++) {
    const code = text.charCodeAt(position)
    if (code === quote) position = endOfString(text, position)
    else if (code === comma) {
      if (++items >= maxItems || ++values >= maxItems * valuesPerItem) throw tooManyItems(maxItems)
    } else if (code === openBracket || code === openBrace) {
      if (outer.push(items) > maxJsonDepth)
        throw badRequest(`the body of the request nests deeper than ${maxJsonDepth} levels`)
      if (++values >= maxItems * valuesPerItem) throw tooManyItems(maxItems)
      items = 0
    } else if (code === closeBracket || code === closeBrace) items = outer.pop() ?? 0
  }
}
const [quote, comma] = [0x22, 0x2c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Messages of the parser quote the body, which may be a Secret, and errors are logged: only the position is kept. */
const withoutQuotes = (message: string): string =>
  message.replace(/,? ?(?:\.\.\.)?".*"(?:\.\.\.)?(?: is not valid JSON)?/s, '').slice(0, 200) || 'it is not JSON'

/** The text of a required body. */
export function bodyText(body: Buffer): string {
  if (body.length === 0) throw badRequest('the request has no body')
  return decodeText(body)
}

/** A parsed body: its value and its duplicate keys. */
export interface TextBody {
  readonly text: string
  readonly value: unknown
  /** Duplicate keys of YAML; undefined for JSON, which is scanned later. */
  readonly repeatedKeys: readonly RepeatedKey[] | undefined
}

export interface BodyLimits {
  /** The maximum number of duplicate keys to find. */
  readonly maxRepeatedKeys?: number
  /** The maximum number of items in all lists and maps of an object. */
  readonly maxItems?: number | undefined
  /** The request of the body, which yields to others while a large body is parsed. */
  readonly request?: TurnTaker
}

/** Parses a body: large JSON in turns, large YAML in a thread. */
export function parseBody(
  yaml: YamlBodies,
  format: 'json' | 'yaml',
  body: Buffer,
  { maxRepeatedKeys = 0, maxItems = maxObjectItems, request }: BodyLimits = {},
): TextBody | Promise<TextBody> {
  const text = bodyText(body)
  if (request?.isLarge && (format === 'json' || text.startsWith('{'))) {
    rejectLargeJson(text, maxItems)
    return parseLarge(request, text).then(
      value => ({ text, value, repeatedKeys: undefined }),
      // The parser of the format reports the error.
      () => parseBody(yaml, format, body, { maxRepeatedKeys, maxItems }),
    )
  }
  if (format === 'json') return { text, value: parseJson(text, maxItems), repeatedKeys: undefined }
  // JSON is YAML, most clients send JSON, and parsing it as JSON is many times faster.
  if (text.startsWith('{')) {
    rejectLargeJson(text, maxItems)
    try {
      return { text, value: JSON.parse(text), repeatedKeys: undefined }
    } catch {
      // A flow mapping that is not JSON, or an invalid text: the YAML parser decides.
    }
  }
  return andThen(yaml.parse(text, maxRepeatedKeys), parsed => ({ text, ...parsed }))
}

const parseLarge = async (request: TurnTaker, text: string): Promise<unknown> => runInTurns(request, parseInTurns(text))
