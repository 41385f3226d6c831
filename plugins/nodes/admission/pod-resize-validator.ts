import { isDeepStrictEqual } from 'node:util'
import { ApiError, defineAdmission, forbidden, reject } from 'orch/sdk'
import { compareAmountTexts, type Pod, podRequests } from 'orch/sdk/core'
import { parseQuantity, quantityValue } from 'orch/sdk/validation'
import type { NodeNames } from '../names.js'
import { findNode, lookupNeeds } from './find-object.js'

/** Rejects a resize of a Pod that its node can never satisfy. */
export const podResizeValidator = ({ osLabel }: NodeNames, isOn: boolean) =>
  defineAdmission<Pod>()({
    name: 'PodResizeValidator',
    since: '1.36',
    after: ['PodTopologyLabels', 'NodeDeclaredFeatureValidator', 'JobValidation'],
    phase: 'validate',
    sideEffects: 'none',
    matches: { group: '', resource: 'pods', subresource: 'resize', operations: ['update'] },
    needs: lookupNeeds,
    async review({ object: { spec }, oldObject, name }, lookup) {
      if (!isOn || !spec.nodeName || isDeepStrictEqual(spec, oldObject.spec)) return
      const node = await findNode(spec.nodeName, lookup)
      if (!node) return reject(`node "${spec.nodeName}" not found`)
      const system = node.metadata?.labels?.[osLabel] ?? 'linux'
      if (system !== 'linux') {
        const why = `pod resize is only supported on linux nodes, node "${spec.nodeName}" is "${system}"`
        throw refusal(name, why, 'UnsupportedPlatform')
      }
      const excess = excessOf(podRequests(spec), node.status?.allocatable ?? {})
      if (excess.length === 0) return
      const why = `node didn't have enough allocatable resources: ${excess.join('; ')}`
      throw refusal(name, why, 'NodeCapacity')
    },
  })

/** The requests that exceed the allocatable resources of the node. */
function excessOf(requests: Readonly<Record<string, string>>, allocatable: Readonly<Record<string, string>>): string[] {
  return (['cpu', 'memory'] as const).flatMap(name => {
    const [asked, given] = [requests[name] ?? '0', allocatable[name] ?? '0']
    if (compareAmountTexts(asked, given) <= 0) return []
    const shown = (text: string) => quantityValue(parseQuantity(text), name === 'cpu' ? -3 : 0)
    return [`${name}, requested: ${shown(asked)}, allocatable: ${shown(given)}`]
  })
}

function refusal(name: string, why: string, cause: string): ApiError {
  const { code, reason, message, details } = forbidden({ group: '', resource: 'pods', name }, why)
  return new ApiError(code, reason, message, { ...details, causes: [{ reason: cause, message: '', field: '' }] })
}
