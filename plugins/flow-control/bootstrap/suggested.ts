import type { FlowSchemaSpec, ResourceRule, Rule } from '../flow-schemas/schema.js'
import { exempt, type FlowControlNames } from '../names.js'
import type { PriorityLevelSpec } from '../priority-levels/schema.js'
import { everyone, everything, group } from './mandatory.js'

const nodesGroup = 'system:nodes'

const level = (shares: number, queues: number, handSize: number): PriorityLevelSpec => ({
  type: 'Limited',
  limited: {
    assuredConcurrencyShares: shares,
    limitResponse: { type: 'Queue', queuing: { queues, handSize, queueLengthLimit: 50 } },
  },
})

/** Suggested levels: created at first start, and maintained until somebody opts out. */
export const suggestedLevels: Readonly<Record<string, PriorityLevelSpec>> = {
  system: level(30, 64, 6),
  'node-high': level(40, 64, 6),
  'leader-election': level(10, 16, 4),
  'workload-high': level(40, 128, 6),
  'workload-low': level(100, 128, 6),
  'global-default': level(20, 128, 6),
}

/** Suggested schemas, created at first start, in matching order. */
export function suggestedSchemas(names: FlowControlNames): Readonly<Record<string, FlowSchemaSpec>> {
  const { systemNamespace, coordination, prefix, users } = names
  const user = (name: string) => ({ kind: 'User', user: { name } })
  const systemAccounts = { kind: 'ServiceAccount', serviceAccount: { namespace: systemNamespace, name: '*' } }
  const schema = (
    priorityLevel: string,
    matchingPrecedence: number,
    distinguisher: 'ByUser' | 'ByNamespace' | undefined,
    ...rules: Rule[]
  ): FlowSchemaSpec => ({
    priorityLevelConfiguration: { name: priorityLevel },
    matchingPrecedence,
    ...(distinguisher ? { distinguisherMethod: { type: distinguisher } } : {}),
    rules,
  })
  const on = (apiGroup: string, resources: string[], verbs: string[], namespace = '*'): ResourceRule => ({
    verbs,
    apiGroups: [apiGroup],
    resources,
    namespaces: [namespace],
  })
  const electing = ['create', 'get', 'update']
  const elections = (namespace: string) => [
    on('', ['endpoints', 'configmaps'], electing, namespace),
    on(coordination, ['leases'], electing),
  ]
  return {
    probes: schema(exempt, 2, undefined, {
      subjects: everyone,
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
    }),
    'system-leader-election': schema('leader-election', 100, 'ByUser', {
      subjects: [user(users.controllerManager), user(users.scheduler), systemAccounts],
      resourceRules: elections(systemNamespace),
    }),
    'workload-leader-election': schema('leader-election', 200, 'ByUser', {
      subjects: [systemAccounts],
      resourceRules: elections('*'),
    }),
    'system-node-high': schema('node-high', 400, 'ByUser', {
      subjects: [group(nodesGroup)],
      resourceRules: [
        { ...on('', ['nodes', 'nodes/status'], ['*']), clusterScope: true },
        on(coordination, ['leases'], ['*']),
      ],
    }),
    'system-nodes': schema('system', 500, 'ByUser', everything([group(nodesGroup)])),
    [`${prefix}-controller-manager`]: schema(
      'workload-high',
      800,
      'ByNamespace',
      everything([user(users.controllerManager)]),
    ),
    [`${prefix}-scheduler`]: schema('workload-high', 800, 'ByNamespace', everything([user(users.scheduler)])),
    [`${prefix}-system-service-accounts`]: schema('workload-high', 900, 'ByNamespace', everything([systemAccounts])),
    'service-accounts': schema('workload-low', 9000, 'ByUser', everything([group('system:serviceaccounts')])),
    'global-default': schema('global-default', 9900, 'ByUser', everything(everyone)),
  }
}
