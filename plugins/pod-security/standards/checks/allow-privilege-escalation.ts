import { type Check, type CheckVersion, namesOf, nounWithNames, unlessWindows } from '../check.js'

const refused: CheckVersion = {
  since: 8,
  find(pod) {
    const silent = namesOf(pod, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false)
    if (silent.length === 0) return undefined
    return {
      reason: 'allowPrivilegeEscalation != false',
      detail: `${nounWithNames('container', silent)} must set securityContext.allowPrivilegeEscalation=false`,
    }
  },
}

/** No process gains more privileges than its parent has. */
export const allowPrivilegeEscalation: Check = {
  id: 'allowPrivilegeEscalation',
  level: 'restricted',
  versions: [refused, unlessWindows(25, refused)],
}
