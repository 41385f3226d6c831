import { defineDifference } from '../../plugin/level.js'

export const aliasErrorsNameTheirEntry = defineDifference({
  name: 'errors-of-host-aliases-name-their-entry',
  since: '1.30',
  description: 'Errors in hostAliases name the entry; before, they name the list.',
  knownFrom: 'source',
})

export const longDnsSearches = defineDifference({
  name: 'dns-searches-may-be-long',
  since: '1.26',
  description: 'A Pod may have 32 DNS search domains of 2048 characters together; before, 6 of 256.',
  knownFrom: 'gate',
  additive: true,
})

export const looseDnsSearches = defineDifference({
  name: 'dns-searches-may-have-underscores',
  since: '1.33',
  description: 'DNS search domains of a Pod may contain underscores, and may be a single dot.',
  knownFrom: 'probed',
  additive: true,
})

export const canonicalPodAddresses = defineDifference({
  name: 'addresses-in-pod-specs-are-canonical',
  since: '1.36',
  description:
    'Name servers and host aliases of a Pod must not have leading zeros or be IPv4-mapped IPv6 addresses; before, both are accepted.',
  knownFrom: 'probed',
})
