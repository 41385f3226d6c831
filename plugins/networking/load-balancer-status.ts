import { addAll, type FieldError, invalidValue } from 'orch/sdk'
import type { LoadBalancerStatus } from 'orch/sdk/core'
import { isDns1123Subdomain, isStrictIp, isValidIp } from 'orch/sdk/validation'

/** Addresses of a load balancer: IP addresses, or DNS names. `areStrict`: they must be canonical, except those that are stored. */
export function validateLoadBalancerStatus(
  { ingress = [] }: LoadBalancerStatus,
  field: string,
  {
    areStrict = false,
    stored,
  }: { readonly areStrict?: boolean; readonly stored?: LoadBalancerStatus | undefined } = {},
): FieldError[] {
  const known = new Set((stored?.ingress ?? []).map(({ ip }) => ip))
  const problemsOf = (ip: string) => (known.has(ip) ? [] : areStrict ? isStrictIp(ip) : isValidIp(ip))
  return ingress.flatMap(({ ip = '', hostname = '' }, i) => {
    const at = `${field}.ingress[${i}]`
    const errors = (ip === '' ? [] : problemsOf(ip)).map(text => invalidValue(`${at}.ip`, ip, text))
    if (hostname === '') return errors
    addAll(
      errors,
      isDns1123Subdomain(hostname).map(text => invalidValue(`${at}.hostname`, hostname, text)),
    )
    if (isValidIp(hostname).length === 0)
      errors.push(invalidValue(`${at}.hostname`, hostname, 'must be a DNS name, not an IP address'))
    return errors
  })
}
