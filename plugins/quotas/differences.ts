import { defineDifference } from 'orch/sdk'

/** What changed in this plugin from version to version. */
export const classScopes = defineDifference({
  name: 'quotas-by-class-of-volume-attributes',
  since: '1.33',
  description: 'A quota may be for claims of some classes of volume attributes.',
  knownFrom: 'source',
  additive: true,
})

export const differences = [classScopes]
