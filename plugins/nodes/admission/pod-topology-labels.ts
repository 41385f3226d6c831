import { type ApiObject, defineAdmission } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import type { NodeNames } from '../names.js'
import { findNode, lookupNeeds } from './find-object.js'

/** Binds a Pod to a node; sent by a scheduler. */
interface Binding extends ApiObject {
  target?: { kind?: string; name?: string }
}

/** Labels a Pod with the zone and the region of its node, so that the downward API can expose them. */
export const podTopologyLabels = ({ topologyLabels }: NodeNames, isOn: boolean) =>
  defineAdmission<Pod | Binding>()({
    name: 'PodTopologyLabels',
    since: '1.33',
    after: ['DefaultIngressClass', 'DenyServiceExternalIPs'],
    phase: 'mutate',
    sideEffects: 'none',
    matches: { group: '', resource: 'pods', subresource: ['', 'binding'], operations: ['create'] },
    needs: lookupNeeds,
    async review({ object, subresource }, lookup) {
      if (!isOn) return
      const nodeName = subresource === '' ? (object as Pod).spec?.nodeName : boundTo(object as Binding)
      const node = nodeName ? await findNode(nodeName, lookup) : undefined
      const labels = Object.entries(node?.metadata?.labels ?? {}).filter(([name]) => topologyLabels.includes(name))
      if (labels.length === 0) return
      object.metadata = { ...object.metadata, labels: { ...object.metadata?.labels, ...Object.fromEntries(labels) } }
    },
  })

const boundTo = ({ target }: Binding): string | undefined => (target?.kind === 'Node' ? target.name : undefined)
