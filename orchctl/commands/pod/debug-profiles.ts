import type { Call } from '../../command.js'

/** Names of the security profiles of debug containers. */
export const profiles = ['legacy', 'general', 'baseline', 'netadmin', 'restricted', 'sysadmin']
export type DebugPlace = 'ephemeral' | 'pod' | 'node'

/** The securityContext of each profile; undefined leaves that of the container unchanged. */
const security: Readonly<Record<string, (place: DebugPlace) => object | undefined>> = {
  legacy: () => undefined,
  general: place => (place === 'node' ? undefined : { capabilities: { add: ['SYS_PTRACE'] } }),
  baseline: () => undefined,
  netadmin: () => ({ capabilities: { add: ['NET_ADMIN', 'NET_RAW'] } }),
  restricted: () => ({
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  }),
  sysadmin: () => ({ privileged: true }),
}

/** The container with the securityContext of the profile that `--profile` names. */
export function applyProfile<T extends object>({ flags }: Call, place: DebugPlace, container: T): T {
  const profile = flags.choice('profile', profiles) ?? 'general'
  const securityContext = security[profile]?.(place)
  return securityContext === undefined ? container : { ...container, securityContext }
}
