import type { PodSecurityNames } from '../../names.js'
import { type Check, containersOf, namesOf, nounOf, type PodLike, settersOf, type Violation } from '../check.js'

const off = 'Unconfined'

/** The filter of system calls is not turned off. */
export const seccompProfileBaseline: Check = {
  id: 'seccompProfile_baseline',
  level: 'baseline',
  versions: [
    { since: 0, find: findAnnotations },
    {
      since: 19,
      find(pod) {
        const setters = settersOf(
          pod.spec.securityContext?.seccompProfile?.type === off,
          namesOf(pod, ({ securityContext }) => securityContext?.seccompProfile?.type === off),
        )
        if (setters === undefined) return undefined
        return {
          reason: 'seccompProfile',
          detail: `${setters} must not set securityContext.seccompProfile.type to "${off}"`,
        }
      },
    },
  ],
}

/** Before there were fields, profiles were annotations. */
function findAnnotations(pod: PodLike, { seccompPod, seccompContainer }: PodSecurityNames): Violation | undefined {
  const annotations = pod.metadata?.annotations ?? {}
  const isAllowed = (profile: string) =>
    profile === 'runtime/default' || profile === 'docker/default' || profile.startsWith('localhost/')
  const forbidden = [seccompPod, ...containersOf(pod).map(({ name }) => `${seccompContainer}${name}`)]
    .filter(key => annotations[key] !== undefined && !isAllowed(annotations[key]))
    .map(key => `${key}=${JSON.stringify(annotations[key])}`)
    .sort()
  if (forbidden.length === 0) return undefined
  return {
    reason: 'seccompProfile',
    detail: `forbidden ${nounOf('annotation', forbidden.length)} ${forbidden.join(', ')}`,
  }
}
