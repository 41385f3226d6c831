import type { NodeLabelNames } from '../../node-label-names.js'

type Labels = Readonly<Record<string, string>>

/** The labels between two states of a node that the node must not have changed, in order. */
export function forbiddenLabels(before: Labels, after: Labels, names: NodeLabelNames): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].filter(key => before[key] !== after[key] && isForbidden(key, names)).sort()
}

function isForbidden(key: string, names: NodeLabelNames): boolean {
  const domain = key.includes('/') ? key.slice(0, key.indexOf('/')) : ''
  if (isBelow(domain, names.restricted)) return true
  const isReserved = names.reserved.some(reserved => isBelow(domain, reserved))
  return isReserved && !names.own.has(key) && !names.ownDomains.some(own => isBelow(domain, own))
}

const isBelow = (domain: string, parent: string) => domain === parent || domain.endsWith(`.${parent}`)
