import type { Pod, Service, ServicePort } from 'orch/sdk/core'
import { canonicalIp, labelSelectorMatcher } from 'orch/sdk/validation'

/** Shared by the loops for Services: the Pods behind a Service and their addresses. */

export const isPodReady = ({ status }: Pod): boolean =>
  (status?.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True')

/** Whether the Pod can serve requests, now or later. A finished one cannot. */
export function isBackend({ metadata, status }: Pod, includeTerminating: boolean): boolean {
  if (!includeTerminating && metadata?.deletionTimestamp) return false
  if (!status?.podIP && !status?.podIPs?.length) return false
  return status.phase !== 'Failed' && status.phase !== 'Succeeded'
}

/** The target port of a Service port in this Pod; undefined if the Pod has no port of that name. */
export function portInPod({ spec }: Pod, { targetPort, port, protocol = 'TCP' }: ServicePort): number | undefined {
  if (typeof targetPort === 'number') return targetPort || port
  if (targetPort === undefined || targetPort === '') return port
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always')
  const ports = [...(spec?.containers ?? []), ...sidecars].flatMap(container => container.ports ?? [])
  return ports.find(one => one.name === targetPort && (one.protocol ?? 'TCP') === protocol)?.containerPort
}

/** The Pod's address of a family, in the form that endpoints must have, whatever the node agent wrote. */
export function addressInPod({ status }: Pod, family: 'IPv4' | 'IPv6'): string | undefined {
  const all = status?.podIPs?.map(({ ip = '' }) => ip) ?? []
  return (all.length > 0 ? all : [status?.podIP ?? ''])
    .map(canonicalIp)
    .find(ip => ip !== '' && ip.includes(':') === (family === 'IPv6'))
}

/** The hostname of the Pod in the subdomain of the Service, if it has one. */
export const hostnameInService = ({ spec }: Pod, service: Service): string | undefined =>
  spec?.hostname && spec.subdomain === service.metadata?.name ? spec.hostname : undefined

/** Whether the Service selects Pods. The endpoints of one without a selector are managed manually. */
export const hasSelector = ({ spec }: Service): boolean => spec?.selector !== undefined
/** Whether the Service has no address of its own. */
export const isHeadless = ({ spec }: Service): boolean => !spec?.clusterIP || spec.clusterIP === 'None'

export const podMatcher = ({ spec }: Service): ((pod: Pod) => boolean) => {
  const matches = labelSelectorMatcher({ matchLabels: spec?.selector ?? {} })
  return ({ metadata }) => matches(metadata?.labels ?? {})
}

/**
 * Keeps changed Pods until the Services that selected them before or after the change are reconciled. The cache has neither the
 * previous labels nor a deleted Pod.
 */
export class PodChanges {
  readonly #changed = new Map<string, Pod[]>()

  /** The key of a changed Pod, which cannot be that of a Service. */
  readonly keys = (pod: Pod, previous: Pod | undefined): string[] => {
    const key = `pod:${pod.metadata?.namespace ?? ''}/${pod.metadata?.name ?? ''}`
    this.#changed.set(key, [...(this.#changed.get(key) ?? []), pod, ...(previous ? [previous] : [])])
    return [key]
  }

  /**
   * Processes the Services of a key: the one of that name, or those of the changed Pods. The changes are dropped
   * once all work is done, since a failed key is retried.
   */
  async eachService(
    key: string,
    services: Services,
    work: (service: Service) => Promise<void>,
    gone?: { forget(key: string): void },
  ): Promise<void> {
    const slash = key.indexOf('/')
    if (!key.startsWith('pod:')) {
      const service = services.get(key.slice(0, slash), key.slice(slash + 1))
      if (service) await work(service)
      else gone?.forget(key)
      return
    }
    const pods = this.#changed.get(key) ?? []
    for (const service of services.list(key.slice('pod:'.length, slash)))
      if (hasSelector(service) && pods.some(podMatcher(service))) await work(service)
    const since = this.#changed.get(key)?.slice(pods.length) ?? []
    if (since.length > 0) this.#changed.set(key, since)
    else this.#changed.delete(key)
  }
}

interface Services {
  get(namespace: string, name: string): Service | undefined
  list(namespace: string): readonly Service[]
}

/** The families of addresses that a Service has endpoints for. */
export function familiesOf({ spec }: Service): ('IPv4' | 'IPv6')[] {
  const named = spec?.ipFamilies as ('IPv4' | 'IPv6')[] | undefined
  return named?.length ? named : [spec?.clusterIP?.includes(':') ? 'IPv6' : 'IPv4']
}
