import { type Check, namesOf, nounWithNames } from '../check.js'

/** No container is privileged. */
export const privileged: Check = {
  id: 'privileged',
  level: 'baseline',
  versions: [
    {
      since: 0,
      find(pod) {
        const setters = namesOf(pod, ({ securityContext }) => securityContext?.privileged === true)
        if (setters.length === 0) return undefined
        return {
          reason: 'privileged',
          detail: `${nounWithNames('container', setters)} must not set securityContext.privileged=true`,
        }
      },
    },
  ],
}
