/** The parts of a URL that have rules, as written: nothing is resolved, escaped or defaulted. */
export interface UrlParts {
  readonly scheme: string
  readonly userInfo: string | undefined
  /** With the port, if there is one. */
  readonly host: string
  readonly query: string
  readonly fragment: string
}

/**
 * Takes a URL apart as RFC 3986 does; a text says why it is none. The URL class of the platform mends what it is given
 * (`https:///x` becomes a host `x`), and what is mended cannot be refused.
 */
export function parseUrl(text: string): UrlParts | string {
  if (/[\x00-\x1f\x7f]/.test(text)) return 'it contains a control character'
  const [beforeFragment = '', fragment = ''] = splitOnce(text, '#')
  const schemeEnd = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(beforeFragment)?.[1]?.length
  if (schemeEnd === undefined && beforeFragment.startsWith(':')) return 'missing protocol scheme'
  const scheme = schemeEnd === undefined ? '' : beforeFragment.slice(0, schemeEnd).toLowerCase()
  const [rest = '', query = ''] = splitOnce(beforeFragment.slice(schemeEnd === undefined ? 0 : schemeEnd + 1), '?')
  if (/%(?![0-9A-Fa-f]{2})/.test(rest)) return 'invalid URL escape'
  if (scheme === '' && /^[^/]*:/.test(rest)) return 'first path segment in URL cannot contain colon'
  const authority = rest.startsWith('//') ? (rest.slice(2).split('/')[0] ?? '') : ''
  const at = authority.lastIndexOf('@')
  const host = authority.slice(at + 1)
  const problem = hostProblem(host)
  if (problem) return problem
  return { scheme, userInfo: at < 0 ? undefined : authority.slice(0, at), host, query, fragment }
}

function hostProblem(host: string): string | undefined {
  const port = host.startsWith('[') ? /\](.*)$/.exec(host)?.[1] : (/:[^:]*$/.exec(host)?.[0] ?? '')
  if (port === undefined) return `missing ']' in host`
  if (port !== '' && !/^:[0-9]*$/.test(port)) return `invalid port ${JSON.stringify(port)} after host`
  return /[ \\^`{|}]/.test(host) ? 'invalid character in host name' : undefined
}

/** The name or address without the port. */
export const hostnameOf = (host: string): string => host.replace(/:[0-9]*$/, '')

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
