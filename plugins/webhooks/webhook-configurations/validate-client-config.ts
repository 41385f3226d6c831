import { type FieldError, invalidValue, isDns1123Subdomain, isValidPortNumber, required } from 'orch/sdk'
import { hostnameOf, parseUrl } from './parse-url.js'
import type { ServiceReference, WebhookClientConfig } from './schema.js'

/** How a webhook is reached: by URL or by Service, never both. */
export function validateClientConfig({ url, service }: WebhookClientConfig, path: string): FieldError[] {
  if ((url === undefined) === (service === undefined))
    return [required(path, 'exactly one of url or service is required')]
  return url === undefined
    ? validateService(service as ServiceReference, `${path}.service`)
    : validateUrl(url, `${path}.url`)
}

const form = '; desired format: https://host[/path]'
/** Names of services are only valid inside, where `service` finds them; `<name>.<namespace>.svc` and below. */
const inClusterHost = /^[^.]+\.[^.]+\.svc(\.|$)/

function validateUrl(url: string, path: string): FieldError[] {
  const parts = parseUrl(url)
  if (typeof parts === 'string') return [required(path, `url must be a valid URL: ${parts}${form}`)]
  const { scheme, host, userInfo, fragment, query } = parts
  const errors: FieldError[] = []
  if (scheme !== 'https') errors.push(invalidValue(path, scheme, `'https' is the only allowed URL scheme${form}`))
  if (host === '') errors.push(invalidValue(path, host, `host must be specified${form}`))
  if (inClusterHost.test(hostnameOf(host)))
    errors.push(invalidValue(path, host, 'host must not be a service of the cluster: use the service field'))
  // Never repeat what stands before the @: it may be a password.
  if (userInfo !== undefined) errors.push(invalidValue(path, '', 'user information is not permitted in the URL'))
  if (fragment !== '') errors.push(invalidValue(path, fragment, 'fragments are not permitted in the URL'))
  if (query !== '') errors.push(invalidValue(path, query, 'query parameters are not permitted in the URL'))
  return errors
}

function validateService({ namespace, name, path: urlPath, port = 443 }: ServiceReference, path: string): FieldError[] {
  return [
    ...(namespace ? [] : [required(`${path}.namespace`, 'service namespace is required')]),
    ...(name ? [] : [required(`${path}.name`, 'service name is required')]),
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
