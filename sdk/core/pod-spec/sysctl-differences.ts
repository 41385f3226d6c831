import { defineDifference } from '../../plugin/level.js'

export const sysctlsMayHaveSlashes = defineDifference({
  name: 'sysctls-may-have-slashes',
  since: '1.25',
  description: 'Parts of the name of a sysctl may be separated by slashes; before, by dots only.',
  knownFrom: 'source',
  additive: true,
})

export const hostSysctlsStay = defineDifference({
  name: 'sysctls-of-the-host-are-not-set',
  since: '1.29',
  description: 'A Pod that shares the network or the IPC of the host may not set sysctls of it.',
  knownFrom: 'source',
})
