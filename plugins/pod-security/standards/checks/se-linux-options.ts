import type { SELinuxOptions } from 'orch/sdk/core'
import { type Check, containersOf, namesOf, quoted, settersOf } from '../check.js'

const allowedTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t']
const isBad = (options: SELinuxOptions | undefined) =>
  !allowedTypes.includes(options?.type ?? '') || Boolean(options?.user) || Boolean(options?.role)

/** Processes have the SELinux label of containers. */
export const seLinuxOptions: Check = {
  id: 'seLinuxOptions',
  level: 'baseline',
  versions: [
    {
      since: 0,
      find(pod) {
        const ofPod = pod.spec.securityContext?.seLinuxOptions
        const setters = settersOf(
          isBad(ofPod),
          namesOf(pod, ({ securityContext }) => isBad(securityContext?.seLinuxOptions)),
        )
        if (setters === undefined) return undefined
        const all = [ofPod, ...containersOf(pod).map(({ securityContext }) => securityContext?.seLinuxOptions)]
        const types = new Set(all.map(options => options?.type ?? '').filter(type => !allowedTypes.includes(type)))
        const parts = [
          ...(types.size > 0 ? [`${types.size === 1 ? 'type' : 'types'} ${quoted([...types].sort())}`] : []),
          ...(all.some(options => options?.user) ? ['user may not be set'] : []),
          ...(all.some(options => options?.role) ? ['role may not be set'] : []),
        ]
        return {
          reason: 'seLinuxOptions',
          detail: `${setters} set forbidden securityContext.seLinuxOptions: ${parts.join('; ')}`,
        }
      },
    },
  ],
}
