import { type Check, type CheckVersion, nounOf } from '../check.js'

/** Kernel parameters that affect only the Pod that sets them. */
export const safeSysctls: ReadonlySet<string> = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
])
const since27 = new Set([...safeSysctls, 'net.ipv4.ip_local_reserved_ports'])
const since29 = new Set([
  ...since27,
  ...['time', 'intvl', 'probes'].map(name => `net.ipv4.tcp_keepalive_${name}`),
  'net.ipv4.tcp_fin_timeout',
])
const since32 = new Set([...since29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'])

const allowing = (since: number, safe: ReadonlySet<string>): CheckVersion => ({
  since,
  find({ spec }) {
    const set = (spec.securityContext?.sysctls ?? []).map(({ name }) => name)
    const forbidden = set.filter(name => !safe.has(name))
    if (forbidden.length === 0) return undefined
    return { reason: nounOf('forbidden sysctl', forbidden.length), detail: forbidden.join(', ') }
  },
})

/** Pods change no kernel parameter that affects others. */
export const sysctls: Check = {
  id: 'sysctls',
  level: 'baseline',
  versions: [allowing(0, safeSysctls), allowing(27, since27), allowing(29, since29), allowing(32, since32)],
}
