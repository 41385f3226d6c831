import { type Check, containersOf, namesOf, nounWithNames, quoted } from '../check.js'

/** The default capabilities of container runtimes. */
const usual = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
])

/** No container adds capabilities that containers do not usually have. */
export const capabilitiesBaseline: Check = {
  id: 'capabilities_baseline',
  level: 'baseline',
  versions: [
    {
      since: 0,
      find(pod) {
        const unusual = (added: readonly string[] = []) => added.filter(capability => !usual.has(capability))
        const setters = namesOf(pod, ({ securityContext }) => unusual(securityContext?.capabilities?.add).length > 0)
        if (setters.length === 0) return undefined
        const found = new Set(containersOf(pod).flatMap(one => unusual(one.securityContext?.capabilities?.add)))
        return {
          reason: 'non-default capabilities',
          detail: `${nounWithNames('container', setters)} must not include ${quoted([...found].sort())} in securityContext.capabilities.add`,
        }
      },
    },
  ],
}
