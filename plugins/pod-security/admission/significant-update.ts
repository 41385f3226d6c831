import type { Container, Pod } from 'orch/sdk'
import type { PodSecurityNames } from '../names.js'

/** Could this update make a difference to a standard? Pods that were let in under another policy can still be cleaned up. */
export function isSignificantUpdate(sent: Pod, stored: Pod, names: PodSecurityNames): boolean {
  const isOtherAnnotation = (key: string) => sent.metadata?.annotations?.[key] !== stored.metadata?.annotations?.[key]
  const isOther = (container: Container, old: Container | undefined) =>
    container.image !== old?.image || isOtherAnnotation(`${names.seccompContainer}${container.name}`)
  if (isOtherAnnotation(names.seccompPod)) return true
  for (const list of ['initContainers', 'containers'] as const) {
    const before = stored.spec[list] ?? []
    const after = sent.spec[list] ?? []
    if (before.length !== after.length || after.some((container, i) => isOther(container, before[i]))) return true
  }
  const debuggers = new Map((stored.spec.ephemeralContainers ?? []).map(container => [container.name, container]))
  return (sent.spec.ephemeralContainers ?? []).some(container => isOther(container, debuggers.get(container.name)))
}
