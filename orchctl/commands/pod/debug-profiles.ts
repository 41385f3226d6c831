import type { Call } from '../../command.js'

/** What a debugging container may do, from everything to nothing. */
export const profiles = ['legacy', 'general', 'baseline', 'netadmin', 'restricted', 'sysadmin']
export type DebugPlace = 'ephemeral' | 'pod' | 'node'

/** The security of each profile; those of nodes leave the container as it is. */
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

/** The container with the permissions of the profile that `--profile` names. */
export function applyProfile<T extends object>({ flags }: Call, place: DebugPlace, container: T): T {
  const profile = flags.choice('profile', profiles) ?? 'general'
  const securityContext = security[profile]?.(place)
  return securityContext === undefined ? container : { ...container, securityContext }
}
