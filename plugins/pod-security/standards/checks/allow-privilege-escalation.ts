import { type Check, namesOf, nounWithNames } from '../check.js'

/** No process gains more powers than its parent has. */
export const allowPrivilegeEscalation: Check = {
  id: 'allowPrivilegeEscalation',
  level: 'restricted',
  versions: [
    {
      since: 8,
      find(pod) {
        const silent = namesOf(pod, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false)
        if (silent.length === 0) return undefined
        return {
          reason: 'allowPrivilegeEscalation != false',
          detail: `${nounWithNames('container', silent)} must set securityContext.allowPrivilegeEscalation=false`,
        }
      },
    },
  ],
}
