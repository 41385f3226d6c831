import { addAll, type FieldError, invalidValue } from '../../field-errors.js'
import { isValidIp } from '../../ip-addresses.js'
import { isDns1123Subdomain } from '../../object-names.js'
import type { LoadBalancerStatus } from '../load-balancer.js'

/** The address as it would be written out, so that `0:0::1` is recognised. */
const normal = (ip: string) =>
  ip.includes(':') ? new URL(`http://[${ip}]`).hostname.slice(1, -1) : ip.split('.').map(Number).join('.')

/** Addresses that mean this machine or this link only. `ip` must be valid. */
export function checkNotSpecialIp(ip: string, field: string): FieldError[] {
  const address = normal(ip)
  const broken = (detail: string) => [invalidValue(field, ip, detail)]
  if (address === '0.0.0.0' || address === '::') return broken('may not be unspecified (0.0.0.0 or ::)')
  if (address.startsWith('127.') || address === '::1')
    return broken('may not be in the loopback range (127.0.0.0/8, ::1/128)')
  if (address.startsWith('169.254.') || /^fe[89ab]/.test(address))
    return broken('may not be in the link-local range (169.254.0.0/16, fe80::/10)')
  if (/^224\.0\.0\./.test(address) || /^ff.2:/.test(address))
    return broken('may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)')
  return []
}

/** Where a load balancer takes traffic: addresses, or names that are no addresses. */
export const validateLoadBalancerStatus = ({ ingress = [] }: LoadBalancerStatus, field: string): FieldError[] =>
  ingress.flatMap(({ ip = '', hostname = '' }, i) => {
    const at = `${field}.ingress[${i}]`
    const errors: FieldError[] = []
    if (ip !== '' && isValidIp(ip).length > 0) errors.push(invalidValue(`${at}.ip`, ip, 'must be a valid IP address'))
    if (hostname === '') return errors
    addAll(
      errors,
      isDns1123Subdomain(hostname).map(text => invalidValue(`${at}.hostname`, hostname, text)),
    )
    if (isValidIp(hostname).length === 0)
      errors.push(invalidValue(`${at}.hostname`, hostname, 'must be a DNS name, not an IP address'))
    return errors
  })
