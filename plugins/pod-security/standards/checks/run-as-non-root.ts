import { type Check, type CheckVersion, namesOf, nounWithNames, settersOf, unlessOwnUsers } from '../check.js'

const reason = 'runAsNonRoot != true'

const asked: CheckVersion = {
  since: 0,
  find(pod) {
    const ofPod = pod.spec.securityContext?.runAsNonRoot
    const setters = settersOf(
      ofPod === false,
      namesOf(pod, ({ securityContext }) => securityContext?.runAsNonRoot === false),
    )
    if (setters !== undefined) return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` }
    if (ofPod === true) return undefined
    const silent = namesOf(pod, ({ securityContext }) => securityContext?.runAsNonRoot === undefined)
    if (silent.length === 0) return undefined
    return {
      reason,
      detail: `pod or ${nounWithNames('container', silent)} must set securityContext.runAsNonRoot=true`,
    }
  },
}

/** No container may run as root: the Pod sets that, or every container does. */
export const runAsNonRoot: Check = {
  id: 'runAsNonRoot',
  level: 'restricted',
  versions: [asked, unlessOwnUsers(35, asked)],
}
