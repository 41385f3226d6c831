import { type AdmissionRequest, type ApiObject, defineAdmission, parseQuantity, reject, services } from 'orch/sdk'
import type { PersistentVolumeClaimSpec, Pod } from 'orch/sdk/core'
import type { LimitRangeItem } from '../limit-ranges/schema.js'
import { checkClaim, checkPod } from '../limits/check-limits.js'
import { applyDefaults } from '../limits/default-resources.js'
import { itemsOf, limitRangeCollection, type StoredLimitRange } from '../limits/limit-range.js'
import type { QuotaNames } from '../names.js'
import type { QuotaOptions } from '../options.js'

/** What clients may ask for in a namespace, and what they get when they ask for nothing. */
export const limitRanger = ({ limitRangerAnnotation }: QuotaNames, options: QuotaOptions) => {
  const cpu = options.defaultNamespaceCpuRequest
  const unlimited: LimitRangeItem[] =
    parseQuantity(cpu).unscaled === 0n ? [] : [{ type: 'Container', defaultRequest: { cpu } }]
  return defineAdmission()({
    name: 'LimitRanger',
    stage: 'defaults',
    after: ['LimitPodHardAntiAffinityTopology'],
    phase: 'both',
    sideEffects: 'none',
    // The containers of a Pod never change, so there is nothing to judge when it is updated.
    matches: [
      { group: '', resource: 'pods', operations: ['create'] },
      { group: '', resource: 'persistentvolumeclaims', operations: ['create', 'update'] },
    ],
    needs: { caches: services.caches },
    async review(request, { caches }, phase) {
      if (request.oldObject?.metadata.deletionTimestamp) return
      const cache = caches.of<StoredLimitRange>(limitRangeCollection)
      if (!cache.isReady) await cache.ready()
      const ranges = cache.list(request.namespace)
      if (phase === 'validate') return judge(request, ranges)
      if (request.resource !== 'pods') return
      const items = ranges.length === 0 && request.namespace === 'default' ? unlimited : itemsOf(ranges, 'Container')
      applyDefaults(request.object as unknown as Pod, items, limitRangerAnnotation)
    },
  })
}

function judge({ resource, object }: AdmissionRequest<ApiObject>, ranges: readonly StoredLimitRange[]) {
  for (const { spec } of ranges) {
    const items = spec?.limits ?? []
    const found =
      resource === 'pods'
        ? checkPod((object as unknown as Pod).spec, items)
        : checkClaim((object['spec'] as PersistentVolumeClaimSpec | undefined)?.resources?.requests ?? {}, items)
    // Two containers may break a rule in the same words.
    const broken = [...new Set(found)]
    if (broken.length > 0) return reject(broken.length === 1 ? (broken[0] ?? '') : `[${broken.join(', ')}]`)
  }
  return undefined
}
