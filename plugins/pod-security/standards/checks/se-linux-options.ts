import type { SELinuxOptions } from 'orch/sdk/core'
import { type Check, type CheckVersion, containersOf, namesOf, quoted, settersOf } from '../check.js'

const firstTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t']
const isBad = (options: SELinuxOptions | undefined, allowedTypes: readonly string[]) =>
  !allowedTypes.includes(options?.type ?? '') || Boolean(options?.user) || Boolean(options?.role)

const allowing = (since: number, allowedTypes: readonly string[]): CheckVersion => ({
  since,
  find(pod) {
    const ofPod = pod.spec.securityContext?.seLinuxOptions
    const setters = settersOf(
      isBad(ofPod, allowedTypes),
      namesOf(pod, ({ securityContext }) => isBad(securityContext?.seLinuxOptions, allowedTypes)),
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
})

/** Processes have the SELinux label of containers. */
export const seLinuxOptions: Check = {
  id: 'seLinuxOptions',
  level: 'baseline',
  versions: [allowing(0, firstTypes), allowing(31, [...firstTypes, 'container_engine_t'])],
}
