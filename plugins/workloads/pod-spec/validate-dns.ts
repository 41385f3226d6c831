import {
  type FieldError,
  type HostAlias,
  invalidValue,
  isDns1123Subdomain,
  isValidIp,
  oneOf,
  type PodDNSConfig,
  type PodSpec,
  required,
} from 'orch/sdk'

const policies = ['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None'] as const
const maxNameservers = 3
const maxSearches = 6
const maxSearchLength = 256

export const validateDnsPolicy = ({ dnsPolicy = '' }: PodSpec, field: string): FieldError[] =>
  dnsPolicy === '' ? [required(`${field}.dnsPolicy`)] : oneOf(dnsPolicy, `${field}.dnsPolicy`, policies)

/** DNS settings of a Pod; without a policy there must be some. */
export function validateDnsConfig({ dnsPolicy, dnsConfig }: PodSpec, specField: string): FieldError[] {
  const field = `${specField}.dnsConfig`
  if (dnsPolicy === 'None') {
    if (dnsConfig === undefined) return [required(field, 'must provide `dnsConfig` when `dnsPolicy` is None')]
    if ((dnsConfig.nameservers ?? []).length === 0)
      return [required(`${field}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None')]
  }
  return dnsConfig === undefined ? [] : [...validateServers(dnsConfig, field), ...validateSearches(dnsConfig, field)]
}

function validateServers({ nameservers = [] }: PodDNSConfig, field: string): FieldError[] {
  const at = `${field}.nameservers`
  return [
    ...(nameservers.length > maxNameservers
      ? [invalidValue(at, nameservers, `must not have more than ${maxNameservers} nameservers`)]
      : []),
    ...nameservers.flatMap((server, i) => isValidIp(server).map(text => invalidValue(`${at}[${i}]`, server, text))),
  ]
}

function validateSearches({ searches = [], options = [] }: PodDNSConfig, field: string): FieldError[] {
  const at = `${field}.searches`
  const errors: FieldError[] = []
  if (searches.length > maxSearches)
    errors.push(invalidValue(at, searches, `must not have more than ${maxSearches} search paths`))
  if (searches.join(' ').length > maxSearchLength)
    errors.push(
      invalidValue(
        at,
        searches,
        `must not have more than ${maxSearchLength} characters (including spaces) in the search list`,
      ),
    )
  // A trailing dot makes a name absolute.
  for (const [i, search] of searches.entries())
    errors.push(...isDns1123Subdomain(search.replace(/\.$/, '')).map(text => invalidValue(`${at}[${i}]`, search, text)))
  for (const [i, { name = '' }] of options.entries())
    if (name === '') errors.push(required(`${field}.options[${i}]`, 'must not be empty'))
  return errors
}

/** Entries of the hosts file. Errors name the list, not the entry, as clients know them. */
export const validateHostAliases = (aliases: readonly HostAlias[] = [], field: string): FieldError[] =>
  aliases.flatMap(({ ip = '', hostnames = [] }) => [
    ...isValidIp(ip).map(text => invalidValue(`${field}.ip`, ip, text)),
    ...hostnames.flatMap(name => isDns1123Subdomain(name).map(text => invalidValue(`${field}.hostnames`, name, text))),
  ])
