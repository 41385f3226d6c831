import { addAll, type FieldError, invalidValue } from 'orch/sdk'
import type { LoadBalancerStatus } from 'orch/sdk/core'
import { isDns1123Subdomain, isValidIp } from 'orch/sdk/validation'
import { addressRule } from './address-rules.js'

/** Addresses of a load balancer: IP addresses, or DNS names. `areStrict`: they must be canonical, except those that are stored. */
export function validateLoadBalancerStatus(
  { ingress = [] }: LoadBalancerStatus,
  field: string,
  {
    areStrict = false,
    stored,
  }: { readonly areStrict?: boolean; readonly stored?: LoadBalancerStatus | undefined } = {},
): FieldError[] {
  const problemsOf = addressRule(
    areStrict,
    (stored?.ingress ?? []).map(({ ip = '' }) => ip),
  )
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
