import { type Check, namesOf, settersOf } from '../check.js'

/** No container runs as a process of a Windows node. */
export const windowsHostProcess: Check = {
  id: 'windowsHostProcess',
  level: 'baseline',
  versions: [
    {
      since: 0,
      find(pod) {
        const setters = settersOf(
          pod.spec.securityContext?.windowsOptions?.hostProcess === true,
          namesOf(pod, ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true),
        )
        if (setters === undefined) return undefined
        return {
          reason: 'hostProcess',
          detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true`,
        }
      },
    },
  ],
}
