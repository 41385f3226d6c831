import { addAll, type FieldError, invalidValue } from 'orch/sdk'
import type { LoadBalancerStatus } from 'orch/sdk/core'
import { isDns1123Subdomain, isValidIp } from 'orch/sdk/validation'

/** Addresses of a load balancer: IP addresses, or DNS names. */
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
