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
