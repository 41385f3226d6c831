import { type Check, type CheckVersion, containersOf, namesOf, nounWithNames, quoted, unlessWindows } from '../check.js'
import { capabilitiesBaseline } from './capabilities-baseline.js'

const everything = 'ALL'
const harmless = 'NET_BIND_SERVICE'

const dropped: CheckVersion = {
  since: 22,
  find(pod) {
    const extra = (added: readonly string[] = []) => added.filter(capability => capability !== harmless)
    const keepers = namesOf(pod, ({ securityContext }) => !securityContext?.capabilities?.drop?.includes(everything))
    const adders = namesOf(pod, ({ securityContext }) => extra(securityContext?.capabilities?.add).length > 0)
    const added = new Set(containersOf(pod).flatMap(one => extra(one.securityContext?.capabilities?.add)))
    const details: string[] = []
    if (keepers.length > 0)
      details.push(`${nounWithNames('container', keepers)} must set securityContext.capabilities.drop=["ALL"]`)
    if (adders.length > 0)
      details.push(
        `${nounWithNames('container', adders)} must not include ${quoted([...added].sort())} in securityContext.capabilities.add`,
      )
    return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') }
  },
}

/** Containers drop all capabilities; they may add the one for low ports. */
export const capabilitiesRestricted: Check = {
  id: 'capabilities_restricted',
  level: 'restricted',
  overrides: [capabilitiesBaseline.id],
  versions: [dropped, unlessWindows(25, dropped)],
}
