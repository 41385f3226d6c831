import {
  type Check,
  type CheckVersion,
  containersOf,
  namesOf,
  nounWithNames,
  quoted,
  unlessOwnUsers,
} from '../check.js'

const usual = 'Default'

const masked: CheckVersion = {
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
}

/** The default masks of /proc stay in effect. */
export const procMount: Check = {
  id: 'procMount',
  level: 'baseline',
  versions: [masked, unlessOwnUsers(35, masked)],
}

/** The restricted standard makes no exception for user namespaces. */
export const procMountRestricted: Check = {
  id: 'procMount_restricted',
  level: 'restricted',
  overrides: [procMount.id],
  versions: [{ ...masked, since: 35 }],
}
