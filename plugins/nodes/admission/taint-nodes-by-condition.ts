import { defineAdmission } from 'orch/sdk'
import type { NodeNames } from '../names.js'
import type { Node } from '../nodes/schema.js'

/** Taints a new node, so that no Pods are scheduled to it until it is ready. */
export const taintNodesByCondition = ({ taints: { notReady } }: NodeNames) =>
  defineAdmission<Node>()({
    name: 'TaintNodesByCondition',
    after: ['NodeRestriction'],
    phase: 'mutate',
    sideEffects: 'none',
    matches: { group: '', resource: 'nodes', operations: ['create'] },
    review({ object: node }) {
      const effect = 'NoSchedule'
      const taints = node.spec?.taints ?? []
      if (taints.some(taint => taint.key === notReady && taint.effect === effect)) return
      node.spec = { ...node.spec, taints: [...taints, { key: notReady, effect }] }
    },
  })
