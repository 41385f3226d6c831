import { labelSelectorMatcher } from 'orch/sdk'
import type { Pod, Service, ServicePort } from 'orch/sdk/core'

/** What the loops behind Services share: which Pods answer for a Service, and where. */

export const isPodReady = ({ status }: Pod): boolean =>
  (status?.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True')

/** Could the Pod answer requests, now or again? One that ended for good could not. */
export function isBackend({ metadata, spec, status }: Pod, includeTerminating: boolean): boolean {
  if (!includeTerminating && metadata?.deletionTimestamp) return false
  if (!status?.podIP && !status?.podIPs?.length) return false
  if (spec?.restartPolicy === 'Never') return status.phase !== 'Failed' && status.phase !== 'Succeeded'
  return spec?.restartPolicy !== 'OnFailure' || status.phase !== 'Succeeded'
}

/** The number behind a port of the Service in this Pod; undefined when the Pod has no port of that name. */
export function portInPod({ spec }: Pod, { targetPort, port, protocol = 'TCP' }: ServicePort): number | undefined {
  if (typeof targetPort === 'number') return targetPort || port
  if (targetPort === undefined || targetPort === '') return port
  const ports = (spec?.containers ?? []).flatMap(container => container.ports ?? [])
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

  /** The Services behind a key: that of the name, or those of the Pods that changed. */
  servicesOf(
    key: string,
    services: { get(ns: string, name: string): Service | undefined; list(ns: string): readonly Service[] },
  ) {
    const slash = key.indexOf('/')
    const pods = key.startsWith('pod:') ? (this.#changed.get(key) ?? []) : undefined
    if (!pods) return [services.get(key.slice(0, slash), key.slice(slash + 1))].flatMap(service => service ?? [])
    this.#changed.delete(key)
    return services
      .list(key.slice('pod:'.length, slash))
      .filter(service => hasSelector(service) && pods.some(podMatcher(service)))
  }
}

/** The families of addresses that a Service has endpoints for. */
export function familiesOf({ spec }: Service): ('IPv4' | 'IPv6')[] {
  const named = spec?.ipFamilies as ('IPv4' | 'IPv6')[] | undefined
  return named?.length ? named : [spec?.clusterIP?.includes(':') ? 'IPv6' : 'IPv4']
}
