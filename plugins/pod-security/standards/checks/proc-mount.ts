import { type Check, containersOf, namesOf, nounWithNames, quoted } from '../check.js'

const usual = 'Default'

/** What /proc hides stays hidden. */
export const procMount: Check = {
  id: 'procMount',
  level: 'baseline',
  versions: [
    {
      since: 0,
      find(pod) {
        const setters = namesOf(pod, ({ securityContext }) => (securityContext?.procMount ?? usual) !== usual)
        if (setters.length === 0) return undefined
        const kinds = new Set(containersOf(pod).map(({ securityContext }) => securityContext?.procMount ?? usual))
        kinds.delete(usual)
        return {
          reason: 'procMount',
          detail: `${nounWithNames('container', setters)} must not set securityContext.procMount to ${quoted(kinds)}`,
        }
      },
    },
  ],
}
