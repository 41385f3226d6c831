import { isDeepStrictEqual } from 'node:util'
import type { AdmissionRequest } from 'orch/sdk'
import type { NodeLabelNames } from '../../node-label-names.js'
import type { Node } from '../../nodes/schema.js'

type Labels = Readonly<Record<string, string>>

/** The changed labels that a node must not change itself, sorted. */
function forbiddenLabels(before: Labels, after: Labels, names: NodeLabelNames): string[] {
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

/**
 * A node writes only its own object, and nothing in it that could attract other Pods. Returns the reason for a denial.
 */
export function checkNode(
  request: AdmissionRequest<Node>,
  nodeName: string,
  names: NodeLabelNames & { readonly keepsOwners?: boolean },
): string | undefined {
  const { operation, name, object, oldObject } = request
  if (name !== nodeName) return `node "${nodeName}" is not allowed to modify node "${name}"`
  if (operation === 'delete') return `node "${nodeName}" is not allowed to delete its Node object`
  const { spec = {}, metadata } = object
  const stored = oldObject?.spec ?? {}
  if (spec.configSource && !isDeepStrictEqual(spec.configSource, stored.configSource))
    return `node "${nodeName}" is not allowed to set configSource`
  if (operation === 'update' && !isDeepStrictEqual(spec.taints ?? [], stored.taints ?? []))
    return `node "${nodeName}" is not allowed to modify taints`
  if (
    operation === 'update' &&
    names.keepsOwners &&
    !isDeepStrictEqual(metadata?.ownerReferences ?? [], oldObject?.metadata?.ownerReferences ?? [])
  )
    return `node "${nodeName}" is not allowed to modify ownerReferences`
  const labels = forbiddenLabels(oldObject?.metadata?.labels ?? {}, metadata?.labels ?? {}, names)
  return labels.length === 0
    ? undefined
    : `node "${nodeName}" is not allowed to ${operation === 'create' ? 'set the following' : 'modify'} labels: ${labels.join(', ')}`
}
