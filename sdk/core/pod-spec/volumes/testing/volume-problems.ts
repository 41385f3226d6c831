import { ServedLevel } from '../../../../plugin/level.js'
import type { Volume } from '../../../volume.js'
import { validateVolumes } from '../validate-volumes.js'

/** The strictest limits, at the oldest version. */
export const where = {
  podName: 'pod',
  reservedDomains: ['acme.test'],
  isLenient: false,
  ownDomain: 'acme.test',
  takesAnyTokenPath: false,
  level: new ServedLevel('1.23'),
  knowsHostAddresses: false,
  takesHostAddresses: false,
  claimRules: { singlePod: true },
}

/** What is wrong with volumes within these limits. */
export const problems = (volumes: unknown[]) =>
  validateVolumes(volumes as Volume[], 'volumes', where).errors.map(({ field, type }) => `${field} ${type.slice(10)}`)
