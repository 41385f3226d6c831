import type { Pod, Service, ServicePort } from 'orch/sdk/core'
import { labelSelectorMatcher } from 'orch/sdk/validation'

/** What the loops behind Services share: which Pods answer for a Service, and where. */

export const isPodReady = ({ status }: Pod): boolean =>
  (status?.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True')

/** Whether the Pod can serve requests, now or later. A finished one cannot. */
export function isBackend({ metadata, status }: Pod, includeTerminating: boolean): boolean {
  if (!includeTerminating && metadata?.deletionTimestamp) return false
  if (!status?.podIP && !status?.podIPs?.length) return false
  return status.phase !== 'Failed' && status.phase !== 'Succeeded'
}

/** The number behind a port of the Service in this Pod; undefined when the Pod has no port of that name. */
export function portInPod({ spec }: Pod, { targetPort, port, protocol = 'TCP' }: ServicePort): number | undefined {
  if (typeof targetPort === 'number') return targetPort || port
  if (targetPort === undefined || targetPort === '') return port
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always')
  const ports = [...(spec?.containers ?? []), ...sidecars].flatMap(container => container.ports ?? [])
  return ports.find(one => one.name === targetPort && (one.protocol ?? 'TCP') === protocol)?.containerPort
}

/** The Pod's address of a family. */
export function addressInPod({ status }: Pod, family: 'IPv4' | 'IPv6'): string | undefined {
  const all = status?.podIPs?.map(({ ip = '' }) => ip) ?? []
  return (all.length > 0 ? all : [status?.podIP ?? '']).find(
    ip => ip !== '' && ip.includes(':') === (family === 'IPv6'),
  )
}

/** The name of the Pod among those of its Service, if it has one. */
export const hostnameInService = ({ spec }: Pod, service: Service): string | undefined =>
  spec?.hostname && spec.subdomain === service.metadata?.name ? spec.hostname : undefined

/** Does the Service choose its Pods by labels? One without a selector is answered for by others. */
export const hasSelector = ({ spec }: Service): boolean => spec?.selector !== undefined
/** Has the Service no address of its own? */
export const isHeadless = ({ spec }: Service): boolean => !spec?.clusterIP || spec.clusterIP === 'None'

export const podMatcher = ({ spec }: Service): ((pod: Pod) => boolean) => {
  const matches = labelSelectorMatcher({ matchLabels: spec?.selector ?? {} })
  return ({ metadata }) => matches(metadata?.labels ?? {})
}

/**
 * Remembers Pods that changed until a loop asks which Services they were or are behind: their labels before and after count,
 * and a Pod that is gone has none any more.
 */
export class PodChanges {
  readonly #changed = new Map<string, Pod[]>()

  /** The key that a changed Pod stands for: that of no Service. */
  readonly keys = (pod: Pod, previous: Pod | undefined): string[] => {
    const key = `pod:${pod.metadata?.namespace ?? ''}/${pod.metadata?.name ?? ''}`
    this.#changed.set(key, [...(this.#changed.get(key) ?? []), pod, ...(previous ? [previous] : [])])
    return [key]
  }

  /**
   * Works on the Services behind a key: that of the name, or those of the Pods that changed. The changes are dropped
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
