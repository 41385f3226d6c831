import { type Check, type CheckVersion, namesOf, settersOf, unlessOwnUsers } from '../check.js'

const asked: CheckVersion = {
  since: 23,
  find(pod) {
    const setters = settersOf(
      pod.spec.securityContext?.runAsUser === 0,
      namesOf(pod, ({ securityContext }) => securityContext?.runAsUser === 0),
    )
    return setters === undefined ? undefined : { reason: 'runAsUser=0', detail: `${setters} must not set runAsUser=0` }
  },
}

/** No container sets the root user. */
export const runAsUser: Check = {
  id: 'runAsUser',
  level: 'restricted',
  versions: [asked, unlessOwnUsers(35, asked)],
}
