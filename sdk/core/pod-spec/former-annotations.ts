import type { Vendor } from '../../plugin/vendor.js'
import type { ObjectMeta } from '../../resource/meta.js'
import { podAnnotations } from './pod-annotations.js'

/** Init containers were annotations before they were a field. Those that old clients still send are not kept. */
export function dropFormerAnnotations(holder: { metadata?: ObjectMeta }, vendor: Vendor): void {
  const { initContainers } = podAnnotations(vendor)
  const { annotations, ...metadata } = holder.metadata ?? {}
  if (annotations === undefined || !initContainers.some(key => annotations[key] !== undefined)) return
  const kept = Object.entries(annotations).filter(([key]) => !initContainers.includes(key))
  holder.metadata = kept.length === 0 ? metadata : { ...metadata, annotations: Object.fromEntries(kept) }
}
