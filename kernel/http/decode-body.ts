import { ApiError, badRequest, type Vendor } from 'orch/sdk'
import { type Document, parseAllDocuments, type Tags, type YAMLParseError } from 'yaml'

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

/** Parses one YAML document. Aliases are bounded, so that a small text cannot become a huge object. */
export function parseYaml(text: string): unknown {
  // JSON is YAML, most clients send just that, and reading it as such is many times faster.
  if (text.startsWith('{')) {
    try {
      return JSON.parse(text)
    } catch {
      // A flow mapping that is not JSON, or broken: the YAML parser says which.
    }
  }
  const documents: readonly Document[] = parseAllDocuments(text, dialect)
  const [error] = documents.flatMap(each => each.errors)
  if (error) throw badRequest(`couldn't parse the request body as YAML: ${describeYaml(error)}`)
  const [value, ...others] = documents.map(contentOf)
  if (others.some(other => other !== null)) {
    throw badRequest("couldn't parse the request body as YAML: it has more than one document")
  }
  return value ?? null
}

/**
 * The YAML that manifests are written in: 1.1, where 0644 is octal and `yes` is true, without what JSON has no word
 * for. Times stay text, and 12:30 is no number.
 */
const dialect = {
  version: '1.1',
  schema: 'yaml-1.1',
  merge: true,
  uniqueKeys: false,
  customTags: (tags: Tags): Tags => tags.filter(tag => typeof tag === 'string' || !isWithoutJson(tag)),
} as const
const jsonless = ['timestamp', 'binary', 'set', 'omap', 'pairs'].map(name => `tag:yaml.org,2002:${name}`)
const isWithoutJson = (tag: { tag: string; format?: string }): boolean =>
  jsonless.includes(tag.tag) || tag.format === 'TIME'

function contentOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch {
    throw badRequest("couldn't parse the request body as YAML: it has too many aliases, or one without an anchor")
  }
}

/** As with JSON, only what and where: `block in flow at line 2, column 36`. */
function describeYaml({ code, linePos }: YAMLParseError): string {
  const [start] = linePos ?? []
  const what = code.toLowerCase().replaceAll('_', ' ')
  return start ? `${what} at line ${start.line}, column ${start.col}` : what
}

/** Parses text of a format into a JSON value. */
export function parseText(format: 'json' | 'yaml', body: Buffer): unknown {
  if (body.length === 0) throw badRequest('the request has no body')
  const text = decodeText(body)
  return format === 'json' ? parseJson(text) : parseYaml(text)
}
