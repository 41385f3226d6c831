import {
  ArrayList,
  EntriesMap,
  Failure,
  func,
  type Library,
  method,
  OpaqueValue,
  structType,
  type Work,
} from '../../cel/index.js'

const typeName = 'kubernetes.URL'
const controls = /[\x00-\x1f\x7f]/

/** Parses a URL as the target of a request: absolute, or a path. */
function parse(text: string): URL {
  const wrong = new Failure(
    `URL parse error during conversion from string: parse ${JSON.stringify(text.slice(0, 200))}: invalid URI for request`,
  )
  const isRelative = text.startsWith('/') && !text.startsWith('//')
  if (!isRelative && !/^[a-z][a-z0-9+.-]*:/i.test(text)) throw wrong
  // The host part must not contain characters that need escaping; later parts are escaped on output.
  const host = /^(?:[a-z][a-z0-9+.-]*:)?\/\/[^/?#]*/i.exec(text)?.[0] ?? ''
  if (/[\s<>"^`{|}]/.test(host) || controls.test(text)) throw wrong
  try {
    return new URL(text, isRelative ? 'relative:///' : undefined)
  } catch {
    throw wrong
  }
}
export function isUrl(text: string): boolean {
  try {
    parse(text)
    return true
  } catch {
    return false
  }
}

/** Escapes a path without escaping existing escapes again. */
const escapedPath = (path: string) => path.replace(/[^\w$&+,/:;=@.~!'()*%[\]-]/gu, encodeURIComponent)

class UrlValue extends OpaqueValue {
  readonly typeName = typeName
  readonly text: string
  readonly #url: URL
  constructor(text: string, url: URL) {
    super()
    this.text = text
    this.#url = url
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof UrlValue && other.text === this.text
  }
  get #isRelative(): boolean {
    return this.#url.protocol === 'relative:'
  }
  get scheme(): string {
    return this.#isRelative ? '' : this.#url.protocol.slice(0, -1)
  }
  /** Taken from the text: JavaScript drops a port that is the default of the scheme. */
  get host(): string {
    return /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]*)/i.exec(this.text)?.[1] ?? ''
  }
  get hostname(): string {
    return this.host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1')
  }
  get port(): string {
    return /:(\d+)$/.exec(this.host)?.[1] ?? ''
  }
  get path(): string {
    if (!this.text.includes('://') && !this.#isRelative) return this.#url.pathname
    return escapedPath(/^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)/i.exec(this.text)?.[1] ?? '')
  }
  query(): Map<string, string[]> {
    const query = new Map<string, string[]>()
    for (const [key, value] of this.#url.searchParams) {
      const values = query.get(key)
      if (values) values.push(value)
      else query.set(key, [value])
    }
    return query
  }
}

/** Steps to parse or escape each character of a URL. */
const stepsPerCharacter = 4
const read = (work: Work, text: string) => work.steps(40 + text.length * stepsPerCharacter)
const part = (of: (url: UrlValue) => string) =>
  method('url:string', (work, url: UrlValue) => {
    read(work, url.text)
    return of(url)
  })

export const urls: Library = {
  name: 'urls',
  since: 0,
  types: { url: structType(typeName, new Map()) },
  functions: {
    url: {
      string_to_url: func('string:url', (work, text: string) => {
        read(work, text)
        return new UrlValue(text, parse(text))
      }),
    },
    isURL: {
      is_url_string: func('string:bool', (work, text: string) => {
        read(work, text)
        return isUrl(text)
      }),
    },
    getScheme: { url_get_scheme: part(url => url.scheme) },
    getHost: { url_get_host: part(url => url.host) },
    getHostname: { url_get_hostname: part(url => url.hostname) },
    getPort: { url_get_port: part(url => url.port) },
    getEscapedPath: { url_get_escaped_path: part(url => url.path) },
    getQuery: {
      url_get_query: method('url:map(string,list(string))', (work, url: UrlValue) => {
        read(work, url.text)
        work.steps(url.text.length * 8)
        return EntriesMap.ofStrings([...url.query()].map(([key, values]) => [key, new ArrayList(values)]))
      }),
    },
  },
}
