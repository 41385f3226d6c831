import { type Check, type CheckVersion, namesOf, nounWithNames, settersOf, unlessWindows } from '../check.js'
import { seccompProfileBaseline } from './seccomp-profile-baseline.js'

const isFiltered = (type: string | undefined) => type === 'RuntimeDefault' || type === 'Localhost'

const filtered: CheckVersion = {
  since: 19,
  find(pod) {
    const ofPod = pod.spec.securityContext?.seccompProfile?.type
    const isBad = (type: string | undefined) => type !== undefined && !isFiltered(type)
    const setters = settersOf(
      isBad(ofPod),
      namesOf(pod, ({ securityContext }) => isBad(securityContext?.seccompProfile?.type)),
    )
    if (setters !== undefined)
      return {
        reason: 'seccompProfile',
        detail: `${setters} must not set securityContext.seccompProfile.type to "Unconfined"`,
      }
    if (isFiltered(ofPod)) return undefined
    const silent = namesOf(pod, ({ securityContext }) => securityContext?.seccompProfile === undefined)
    if (silent.length === 0) return undefined
    return {
      reason: 'seccompProfile',
      detail: `pod or ${nounWithNames('container', silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
    }
  },
}

/** System calls are filtered: the Pod sets that, or every container does. */
export const seccompProfileRestricted: Check = {
  id: 'seccompProfile_restricted',
  level: 'restricted',
  overrides: [seccompProfileBaseline.id],
  versions: [filtered, unlessWindows(25, filtered)],
}
