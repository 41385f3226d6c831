import type { Service } from 'orch/sdk/core'
import { parseQuantity } from 'orch/sdk/validation'
import { one, zero } from '../amounts/amounts.js'
import type { Evaluator } from './evaluator.js'

const names = new Set(['services', 'count/services', 'services.nodeports', 'services.loadbalancers'])

/** Services, the ports they open on nodes, and the load balancers they take. Their type can change, so updates count too. */
export const serviceCounter: Evaluator = {
  group: '',
  resource: 'services',
  operations: ['create', 'update'],
  counts: name => names.has(name),
  usageOf: object =>
    new Map([
      ['count/services', one],
      ['services', one],
      ['services.nodeports', parseQuantity(nodePortsOf(object as Service))],
      ['services.loadbalancers', (object as Service).spec?.type === 'LoadBalancer' ? one : zero],
    ]),
}

function nodePortsOf({ spec }: Service): number {
  const ports = spec?.ports ?? []
  if (spec?.type === 'NodePort') return ports.length
  if (spec?.type !== 'LoadBalancer') return 0
  // A load balancer that needs no ports on nodes has those that were asked for.
  return spec.allocateLoadBalancerNodePorts === false ? ports.filter(({ nodePort }) => nodePort).length : ports.length
}
