import type { Container } from 'orch/sdk/core'
import { type Check, containersOf, nounOf, nounWithNames, quoted } from '../check.js'

/** Hosts that the agent of a node would connect to for a container. */
function hostsOf({ livenessProbe, readinessProbe, startupProbe, lifecycle }: Container): string[] {
  const handlers = [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop]
  return handlers
    .flatMap(handler => [handler?.httpGet?.host, handler?.tcpSocket?.host])
    .filter(host => !!host) as string[]
}

/** Probes and lifecycle handlers target the Pod itself: the agent of the node can reach hosts that the Pod cannot. */
export const hostProbes: Check = {
  id: 'hostProbesAndHostLifecycle',
  level: 'baseline',
  versions: [
    {
      since: 34,
      find(pod) {
        const users = containersOf(pod).filter(container => hostsOf(container).length > 0)
        if (users.length === 0) return undefined
        const hosts = [...new Set(users.flatMap(hostsOf))].sort()
        const noun = 'probe or lifecycle host'
        const containers = nounWithNames('container', users.map(({ name }) => name).sort())
        return {
          reason: noun,
          detail: `${containers} ${users.length === 1 ? 'uses' : 'use'} ${nounOf(noun, hosts.length)} ${quoted(hosts)}`,
        }
      },
    },
  ],
}
