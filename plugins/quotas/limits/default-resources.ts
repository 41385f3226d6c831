import type { Container, Pod, ResourceList } from 'orch/sdk/core'
import type { LimitRangeItem } from '../limit-ranges/schema.js'

/**
 * Gives containers what they do not ask for or limit themselves; of several ranges the first that says something counts.
 * What was set is told in an annotation of the Pod. Changes the Pod.
 */
export function applyDefaults(pod: Pod, items: readonly LimitRangeItem[], annotation: string): void {
  // A Pod sent without containers has null here; validation refuses it later.
  const { containers, initContainers } = pod.spec
  const texts = items.flatMap(item => [
    ...(containers ?? []).flatMap(container => fill(container, 'container', item)),
    ...(initContainers ?? []).flatMap(container => fill(container, 'init container', item)),
  ])
  if (texts.length === 0) return
  pod.metadata ??= {}
  pod.metadata.annotations = {
    ...pod.metadata.annotations,
    [annotation]: `LimitRanger plugin set: ${texts.join('; ')}`,
  }
}

function fill(container: Container, what: string, { default: limits, defaultRequest: requests }: LimitRangeItem) {
  const resources = (container.resources ??= {})
  const set = (which: 'requests' | 'limits', defaults: ResourceList = {}) => {
    const missing = Object.keys(defaults).filter(name => resources[which]?.[name] === undefined)
    if (missing.length === 0) return []
    const given = Object.fromEntries(missing.map(name => [name, defaults[name] ?? '0']))
    resources[which] = { ...resources[which], ...given }
    return [`${missing.sort().join(', ')} ${which.slice(0, -1)} for ${what} ${container.name}`]
  }
  return [...set('requests', requests), ...set('limits', limits)]
}
