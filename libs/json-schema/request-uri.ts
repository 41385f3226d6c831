/**
 * Whether a text is an absolute URI or an absolute path as Go's `url.ParseRequestURI` accepts it: `https://a/b`,
 * `mailto:a`, `/a b` or `*`. A fragment is part of the path. Every pattern takes linear time.
 */
export function isRequestUri(text: string): boolean {
  if (text === '' || text.startsWith(':') || /[\x00-\x1f\x7f]/.test(text)) return false
  if (text === '*') return true
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(text)?.[0] ?? ''
  const rest = withoutQuery(text.slice(scheme.length))
  // What follows the scheme without a slash is opaque.
  if (!rest.startsWith('/')) return scheme !== ''
  if (scheme === '' || !rest.startsWith('//')) return isEscaped(rest)
  const slash = rest.indexOf('/', 2)
  const [authority, path] = slash < 0 ? [rest.slice(2), ''] : [rest.slice(2, slash), rest.slice(slash)]
  return isAuthority(authority) && isEscaped(path)
}

function withoutQuery(text: string): string {
  const mark = text.indexOf('?')
  return mark < 0 ? text : text.slice(0, mark)
}

/** Whether every percent sign begins an escape. */
const isEscaped = (text: string) => !/%(?![0-9A-Fa-f]{2})/.test(text)

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@')
  if (at < 0) return isHost(authority)
  const user = authority.slice(0, at)
  return isHost(authority.slice(at + 1)) && /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) && isEscaped(user)
}

/** A host and, optionally, a port. An IPv6 address is in brackets and may have a zone. */
function isHost(host: string): boolean {
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']')
    if (end < 0 || !isPort(host.slice(end + 1))) return false
    const address = host.slice(0, end)
    const zone = address.indexOf('%25')
    return zone < 0 ? isHostText(address) : isHostText(address.slice(0, zone)) && isZone(address.slice(zone))
  }
  const colon = host.lastIndexOf(':')
  return (colon < 0 || isPort(host.slice(colon))) && isHostText(host)
}

const isPort = (text: string) => /^(:\d*)?$/.test(text)
const hasHostCharacters = (text: string) => /^[A-Za-z0-9!$&'()*+,;=:[\]<>"\-_.~%\u0080-\uffff]*$/.test(text)
/** Only the percent sign itself and characters outside of ASCII may be escaped here. */
const isHostText = (text: string) => hasHostCharacters(text) && !/%(?!25|[89A-Fa-f][0-9A-Fa-f])/.test(text)
const isZone = (text: string) => hasHostCharacters(text) && isEscaped(text)
