import { type AdmissionRequest, type ApiObject, defineAdmission, type GroupResource, reject, services } from 'orch/sdk'
import type { Container, PersistentVolumeClaimSpec, Pod, ResourceList } from 'orch/sdk/core'
import { parseQuantity } from 'orch/sdk/validation'
import { limitsOfResizes, limitsOfSums } from '../differences.js'
import type { LimitRange, LimitRangeItem } from '../limit-ranges/schema.js'
import { checkClaim, checkPod, type PodSums } from '../limits/check-limits.js'
import type { QuotaNames } from '../names.js'
import type { QuotaOptions } from '../options.js'

export type StoredLimitRange = ApiObject & LimitRange
const limitRangeCollection: GroupResource = { group: '', resource: 'limitranges' }

/** The items of one type in all ranges of a namespace. */
const itemsOf = (ranges: readonly LimitRange[], type: string): readonly LimitRangeItem[] =>
  ranges.flatMap(({ spec }) => spec?.limits ?? []).filter(item => item.type === type)

/** Enforces the LimitRanges of a namespace, and applies their defaults. */
export const limitRanger = ({ limitRangerAnnotation, vendor }: QuotaNames, options: QuotaOptions) => {
  const cpu = options.defaultNamespaceCpuRequest
  const unlimited: LimitRangeItem[] =
    parseQuantity(cpu).unscaled === 0n ? [] : [{ type: 'Container', defaultRequest: { cpu } }]
  const sums = vendor.level.has(limitsOfSums) ? 'set by any container' : 'set by every container'
  return defineAdmission()({
    name: 'LimitRanger',
    stage: 'defaults',
    after: ['LimitPodHardAntiAffinityTopology'],
    phase: 'both',
    sideEffects: 'none',
    // The containers of a Pod never change, unless it is resized, so there is nothing to check on update.
    matches: [
      { group: '', resource: 'pods', operations: ['create'] },
      ...(vendor.level.has(limitsOfResizes)
        ? [{ group: '', resource: 'pods', subresource: 'resize', operations: ['update'] } as const]
        : []),
      { group: '', resource: 'persistentvolumeclaims', operations: ['create', 'update'] },
    ],
    needs: { caches: services.caches },
    async review(request, { caches }, phase) {
      if (request.oldObject?.metadata.deletionTimestamp) return
      const cache = caches.of<StoredLimitRange>(limitRangeCollection)
      if (!cache.isReady) await cache.ready()
      const ranges = cache.list(request.namespace)
      if (phase === 'validate') return check(request, ranges, sums)
      if (request.resource !== 'pods') return
      const items = ranges.length === 0 && request.namespace === 'default' ? unlimited : itemsOf(ranges, 'Container')
      applyDefaults(request.object as Pod, items, limitRangerAnnotation)
    },
  })
}

function check({ resource, object }: AdmissionRequest<ApiObject>, ranges: readonly StoredLimitRange[], sums: PodSums) {
  for (const { spec } of ranges) {
    const items = spec?.limits ?? []
    const found =
      resource === 'pods'
        ? checkPod((object as Pod).spec, items, sums)
        : checkClaim((object['spec'] as PersistentVolumeClaimSpec | undefined)?.resources?.requests ?? {}, items)
    // Two containers may violate a rule with the same message.
    const broken = [...new Set(found)]
    if (broken.length > 0) return reject(broken.length === 1 ? (broken[0] ?? '') : `[${broken.join(', ')}]`)
  }
  return undefined
}

/**
 * Sets missing requests and limits of containers; of several ranges the first with a default wins. An annotation of the
 * Pod records what was set. Mutates the Pod.
 */
function applyDefaults(pod: Pod, items: readonly LimitRangeItem[], annotation: string): void {
  // A Pod that was sent without containers has null here; validation rejects it later.
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
