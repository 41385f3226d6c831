import { roundResourceList } from 'orch/sdk/core'
import type { LimitRange, LimitRangeItem } from './schema.js'

/** A container that says nothing gets as much as it may have, and asks for as much as it gets. */
export function fillLimitRange({ spec }: LimitRange): void {
  for (const item of spec?.limits ?? []) {
    if (item.type === 'Container') fillContainerDefaults(item)
    for (const list of [item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio])
      roundResourceList(list)
  }
}

function fillContainerDefaults(item: LimitRangeItem): void {
  const limits = { ...item.max, ...item.default }
  const requests = { ...item.min, ...limits, ...item.defaultRequest }
  if (Object.keys(limits).length > 0) item.default = limits
  if (Object.keys(requests).length > 0) item.defaultRequest = requests
}
