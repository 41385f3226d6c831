import { duplicate, type FieldError, invalidValue, notSupported, oneOf, repeats } from 'orch/sdk'
import { checkUnchanged } from '../immutable-field.js'
import type { CSIDriver, TokenRequest } from './schema.js'

const groupPolicies = ['File', 'None', 'ReadWriteOnceWithFSType'] as const
const lifecycleModes = ['Persistent', 'Ephemeral'] as const
const shortestTokenSeconds = 600
const longestTokenSeconds = 2 ** 32

export const validateDriver = ({ spec }: CSIDriver): FieldError[] => [
  ...oneOf(spec.fsGroupPolicy, 'spec.fsGroupPolicy', groupPolicies),
  ...checkTokenRequests(spec.tokenRequests ?? [], 'spec.tokenRequests'),
  ...(spec.volumeLifecycleModes ?? [])
    .filter(mode => !lifecycleModes.some(known => known === mode))
    .map(mode => notSupported('spec.volumeLifecycleModes', mode, lifecycleModes)),
]

/** One token per audience, and none that ends before the driver is done. */
function checkTokenRequests(requests: readonly TokenRequest[], field: string): FieldError[] {
  const isRepeat = repeats(requests.map(({ audience }) => audience))
  return requests.flatMap(({ audience, expirationSeconds: seconds }, i) => {
    if (isRepeat[i]) return [duplicate(`${field}[${i}].audience`, audience)]
    const at = `${field}[${i}].expirationSeconds`
    if (seconds === undefined) return []
    if (seconds < shortestTokenSeconds)
      return [invalidValue(at, seconds, 'may not specify a duration less than 10 minutes')]
    return seconds > longestTokenSeconds
      ? [invalidValue(at, seconds, 'may not specify a duration larger than 2^32 seconds')]
      : []
  })
}

/** How volumes of the driver are attached and mounted stays, because some are. */
export const validateDriverUpdate = (sent: CSIDriver, stored: CSIDriver): FieldError[] => [
  ...validateDriver(sent),
  // Not a typing error of ours: clients know the path like this.
  ...checkUnchanged(sent.spec.attachRequired, stored.spec.attachRequired, 'spec.attachedRequired'),
  ...checkUnchanged(sent.spec.fsGroupPolicy, stored.spec.fsGroupPolicy, 'spec.fsGroupPolicy'),
  ...checkUnchanged(sent.spec.podInfoOnMount, stored.spec.podInfoOnMount, 'spec.podInfoOnMount'),
  ...checkUnchanged(sent.spec.volumeLifecycleModes, stored.spec.volumeLifecycleModes, 'spec.volumeLifecycleModes'),
]
