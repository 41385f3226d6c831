import { serviceToken } from '../plugin/service-token.js'
import { type FieldError, invalidValue, requiredValue } from '../resource/field-errors.js'
import { isDns1123Subdomain, isValidPortNumber } from '../validation/object-names.js'

/** How a webhook is reached, as in webhook configurations and definitions. */
export interface WebhookClientConfig {
  url?: string
  service?: { namespace: string; name: string; path?: string; port?: number }
  caBundle?: string
}

/**
 * Posts reviews to webhooks with a client config: it reuses connections and resolves Services. The plugin `webhooks`
 * provides it.
 */
export interface WebhookPosts {
  /** The body of the response. Rejects when it does not arrive in time, or is not a success. */
  post(config: WebhookClientConfig, body: string, timeoutMs: number): Promise<string>
}
/** The token of `WebhookPosts`. */
export const webhookPosts = serviceToken<WebhookPosts>('webhooks.posts')

/** How a webhook is reached: by URL or by Service, never both. */
export function validateWebhookClientConfig({ url, service }: WebhookClientConfig, path: string): FieldError[] {
  if ((url === undefined) === (service === undefined))
    return [requiredValue(path, 'exactly one of url or service is required')]
  return url === undefined ? validateService(service!, `${path}.service`) : validateUrl(url, `${path}.url`)
}

const form = '; desired format: https://host[/path]'
/** Names of services are only valid inside, where `service` finds them; `<name>.<namespace>.svc` and below. */
const inClusterHost = /^[^.]+\.[^.]+\.svc(\.|$)/

function validateUrl(url: string, path: string): FieldError[] {
  const parts = parseUrl(url)
  if (typeof parts === 'string') return [requiredValue(path, `url must be a valid URL: ${parts}${form}`)]
  const { scheme, host, userInfo, fragment, query } = parts
  const errors: FieldError[] = []
  if (scheme !== 'https') errors.push(invalidValue(path, scheme, `'https' is the only allowed URL scheme${form}`))
  if (host === '') errors.push(invalidValue(path, host, `host must be specified${form}`))
  if (inClusterHost.test(hostnameOf(host)))
    errors.push(invalidValue(path, host, 'host must not be a service of the cluster: use the service field'))
  // Never repeat the part before the @: it may be a password.
  if (userInfo !== undefined) errors.push(invalidValue(path, '', 'user information is not permitted in the URL'))
  if (fragment !== '') errors.push(invalidValue(path, fragment, 'fragments are not permitted in the URL'))
  if (query !== '') errors.push(invalidValue(path, query, 'query parameters are not permitted in the URL'))
  return errors
}

function validateService(
  { namespace, name, path: urlPath, port = 443 }: NonNullable<WebhookClientConfig['service']>,
  path: string,
): FieldError[] {
  return [
    // The reference reports each of the two in the place of the other, which would mislead.
    ...(namespace ? [] : [requiredValue(`${path}.namespace`, 'service namespace is required')]),
    ...(name ? [] : [requiredValue(`${path}.name`, 'service name is required')]),
    ...isValidPortNumber(port).map(text => invalidValue(`${path}.port`, port, `port is not valid: ${text}`)),
    ...(urlPath === undefined ? [] : validatePath(urlPath, `${path}.path`)),
  ]
}

function validatePath(urlPath: string, path: string): FieldError[] {
  if (urlPath === '' || urlPath === '/') return []
  if (urlPath === '//') return [invalidValue(path, urlPath, 'segment[0] may not be empty')]
  const segments = urlPath.slice(1).replace(/\/$/, '').split('/')
  return [
    ...(urlPath.startsWith('/') ? [] : [invalidValue(path, urlPath, `must start with a '/'`)]),
    ...segments.flatMap((segment, i) => {
      const texts = segment === '' ? [' may not be empty'] : isDns1123Subdomain(segment).map(text => `: ${text}`)
      return texts.map(text => invalidValue(path, urlPath, `segment[${i}]${text}`))
    }),
  ]
}

/** The parts of a URL that have rules, as written: nothing is resolved, escaped or defaulted. */
interface UrlParts {
  readonly scheme: string
  readonly userInfo: string | undefined
  /** With the port, if there is one. */
  readonly host: string
  readonly query: string
  readonly fragment: string
}

/**
 * Parses a URL according to RFC 3986; returns a message if it is invalid. The URL class of the platform cannot be used, because it
 * corrects its input (`https:///x` gets the host `x`), so that invalid URLs would be accepted.
 */
function parseUrl(text: string): UrlParts | string {
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
  const bracketEnd = host.startsWith('[') ? host.indexOf(']') : 0
  if (bracketEnd < 0) return `missing ']' in host`
  const port = bracketEnd > 0 ? host.slice(bracketEnd + 1) : (/:[^:]*$/.exec(host)?.[0] ?? '')
  if (port !== '' && !/^:[0-9]*$/.test(port)) return `invalid port ${JSON.stringify(port)} after host`
  return /[ \\^`{|}]/.test(host) ? 'invalid character in host name' : undefined
}

/** The name or address without the port. */
const hostnameOf = (host: string): string => host.replace(/:[0-9]*$/, '')

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}
