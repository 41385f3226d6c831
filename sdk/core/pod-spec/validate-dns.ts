import type { ServedLevel } from '../../plugin/level.js'
import { addAll, type FieldError, invalidValue, requiredValue } from '../../resource/field-errors.js'
import { isStrictIp } from '../../validation/address-forms.js'
import { isValidIp } from '../../validation/ip-addresses.js'
import { isDns1123Subdomain, isSubdomainWithUnderscores } from '../../validation/object-names.js'
import type { HostAlias, PodDNSConfig, PodSpec } from '../pod-spec.js'
import { aliasErrorsNameTheirEntry, canonicalPodAddresses, longDnsSearches } from './dns-differences.js'
import type { PodRules } from './pod-rules.js'

const maxNameservers = 3
/** How many search domains there may be, and how many characters together. */
const searchLimits = (level: ServedLevel) =>
  level.has(longDnsSearches) ? { maxSearches: 32, maxSearchLength: 2048 } : { maxSearches: 6, maxSearchLength: 256 }

/** DNS settings of a Pod; without a policy there must be some. */
export function validateDnsConfig(
  { dnsPolicy, dnsConfig }: PodSpec,
  specField: string,
  level: ServedLevel,
  rules: Pick<PodRules, 'takesLooseDnsSearches'>,
): FieldError[] {
  const field = `${specField}.dnsConfig`
  if (dnsPolicy === 'None') {
    if (dnsConfig === undefined) return [requiredValue(field, 'must provide `dnsConfig` when `dnsPolicy` is None')]
    if ((dnsConfig.nameservers ?? []).length === 0)
      return [
        requiredValue(`${field}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None'),
      ]
  }
  return dnsConfig === undefined
    ? []
    : [...validateServers(dnsConfig, field, level), ...validateSearches(dnsConfig, field, level, rules)]
}

const addressRule = (level: ServedLevel) => (level.has(canonicalPodAddresses) ? isStrictIp : isValidIp)

function validateServers({ nameservers = [] }: PodDNSConfig, field: string, level: ServedLevel): FieldError[] {
  const at = `${field}.nameservers`
  return [
    ...(nameservers.length > maxNameservers
      ? [invalidValue(at, nameservers, `must not have more than ${maxNameservers} nameservers`)]
      : []),
    ...nameservers.flatMap((server, i) =>
      addressRule(level)(server).map(text => invalidValue(`${at}[${i}]`, server, text)),
    ),
  ]
}

function validateSearches(
  { searches = [], options = [] }: PodDNSConfig,
  field: string,
  level: ServedLevel,
  { takesLooseDnsSearches: isLoose }: Pick<PodRules, 'takesLooseDnsSearches'>,
): FieldError[] {
  const at = `${field}.searches`
  const { maxSearches, maxSearchLength } = searchLimits(level)
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
  const rule = isLoose ? isSubdomainWithUnderscores : isDns1123Subdomain
  for (const [i, search] of searches.entries()) {
    if (isLoose && search === '.') continue
    // A trailing dot makes a name absolute.
    const name = search.replace(/\.$/, '')
    addAll(
      errors,
      rule(name).map(text => invalidValue(`${at}[${i}]`, search, text)),
    )
  }
  for (const [i, { name = '' }] of options.entries())
    if (name === '') errors.push(requiredValue(`${field}.options[${i}]`, 'must not be empty'))
  return errors
}

/** Entries of the hosts file. Before `aliasErrorsNameTheirEntry`, errors name the list only. */
export const validateHostAliases = (
  aliases: readonly HostAlias[] = [],
  field: string,
  level: ServedLevel,
): FieldError[] => {
  const isNamed = level.has(aliasErrorsNameTheirEntry)
  const entry = (list: string, index: number) => (isNamed ? `${list}[${index}]` : list)
  return aliases.flatMap(({ ip = '', hostnames = [] }, i) => {
    const at = entry(field, i)
    return [
      ...addressRule(level)(ip).map(text => invalidValue(`${at}.ip`, ip, text)),
      ...hostnames.flatMap((name, j) =>
        isDns1123Subdomain(name).map(text => invalidValue(entry(`${at}.hostnames`, j), name, text)),
      ),
    ]
  })
}
