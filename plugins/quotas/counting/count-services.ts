import type { Service } from 'orch/sdk/core'
import { parseQuantity } from 'orch/sdk/validation'
import { one, zero } from '../amounts/amounts.js'
import type { Evaluator } from './evaluator.js'

const names = new Set(['services', 'count/services', 'services.nodeports', 'services.loadbalancers'])

/** Counts Services, their node ports and load balancers. The type of a Service can change, so updates count too. */
export const serviceCounter: Evaluator = {
  group: '',
  resource: 'services',
  isCharged: () => true,
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
  // Without allocation, a load balancer has only the node ports that were specified.
  return spec.allocateLoadBalancerNodePorts === false ? ports.filter(({ nodePort }) => nodePort).length : ports.length
}
