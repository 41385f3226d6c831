import { type Check, nounOf } from '../check.js'

/** Kernel parameters that concern only the Pod that sets them. */
export const safeSysctls: ReadonlySet<string> = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
])

/** Pods change no kernel parameter that others would feel. */
export const sysctls: Check = {
  id: 'sysctls',
  level: 'baseline',
  versions: [
    {
      since: 0,
      find({ spec }) {
        const set = (spec.securityContext?.sysctls ?? []).map(({ name }) => name)
        const forbidden = set.filter(name => !safeSysctls.has(name))
        if (forbidden.length === 0) return undefined
        return { reason: nounOf('forbidden sysctl', forbidden.length), detail: forbidden.join(', ') }
      },
    },
  ],
}
