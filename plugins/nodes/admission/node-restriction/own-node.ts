import { isDeepStrictEqual } from 'node:util'
import type { AdmissionRequest } from 'orch/sdk'
import type { NodeLabelNames } from '../../node-label-names.js'
import type { Node } from '../../nodes/schema.js'
import { forbiddenLabels } from './changed-labels.js'

/** A node writes only its own object, and nothing in it that would draw other Pods to it. Returns why not. */
export function checkNode(
  request: AdmissionRequest<Node>,
  nodeName: string,
  names: NodeLabelNames,
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
  const labels = forbiddenLabels(oldObject?.metadata?.labels ?? {}, metadata?.labels ?? {}, names)
  return labels.length === 0
    ? undefined
    : `node "${nodeName}" is not allowed to ${operation === 'create' ? 'set the following' : 'modify'} labels: ${labels.join(', ')}`
}
