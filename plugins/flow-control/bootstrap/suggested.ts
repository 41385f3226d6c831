import type { ServedLevel } from 'orch/sdk'
import { nodesGroup } from 'orch/sdk/identity'
import { endpointController, systemElectionsByLease, withoutElectionsByConfigMap } from '../differences.js'
import type { FlowSchemaSpec, ResourceRule, Rule } from '../flow-schemas/schema.js'
import { exempt, type FlowControlNames } from '../names.js'
import type { PriorityLevelSpec } from '../priority-levels/schema.js'
import { everyone, everything, group, lending } from './mandatory.js'

/** Suggested levels: created at first start, and maintained unless an operator opts out. */
export function suggestedLevels(level: ServedLevel): Readonly<Record<string, PriorityLevelSpec>> {
  const limited = (shares: number, lendable: number, queues: number, handSize: number): PriorityLevelSpec => ({
    type: 'Limited',
    limited: {
      nominalConcurrencyShares: shares,
      limitResponse: { type: 'Queue', queuing: { queues, handSize, queueLengthLimit: 50 } },
      ...lending(lendable, level),
    },
  })
  return {
    system: limited(30, 33, 64, 6),
    'node-high': limited(40, 25, 64, 6),
    'leader-election': limited(10, 0, 16, 4),
    'workload-high': limited(40, 50, 128, 6),
    'workload-low': limited(100, 90, 128, 6),
    'global-default': limited(20, 50, 128, 6),
  }
}

/** Suggested schemas, created at first start, in matching order. */
export function suggestedSchemas(names: FlowControlNames): Readonly<Record<string, FlowSchemaSpec>> {
  const { systemNamespace, coordination, prefix, users, level } = names
  const user = (name: string) => ({ kind: 'User', user: { name } })
  const systemAccount = (name: string) => ({
    kind: 'ServiceAccount',
    serviceAccount: { namespace: systemNamespace, name },
  })
  const systemAccounts = systemAccount('*')
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
  const byLease = level.has(systemElectionsByLease)
  const electing = byLease ? ['get', 'create', 'update'] : ['create', 'get', 'update']
  const leases = on(coordination, ['leases'], electing)
  const elections = (namespace: string) => [on('', ['endpoints', 'configmaps'], electing, namespace), leases]
  return {
    probes: schema(exempt, 2, undefined, {
      subjects: everyone,
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
    }),
    'system-leader-election': schema('leader-election', 100, 'ByUser', {
      subjects: [user(users.controllerManager), user(users.scheduler), systemAccounts],
      resourceRules: byLease ? [leases] : elections(systemNamespace),
    }),
    ...(level.has(endpointController)
      ? {
          'endpoint-controller': schema('workload-high', 150, 'ByUser', {
            subjects: [
              user(users.controllerManager),
              systemAccount('endpoint-controller'),
              systemAccount('endpointslicemirroring-controller'),
            ],
            resourceRules: [on('', ['endpoints'], electing)],
          }),
        }
      : {}),
    ...(level.has(withoutElectionsByConfigMap)
      ? {}
      : {
          'workload-leader-election': schema('leader-election', 200, 'ByUser', {
            subjects: [systemAccounts],
            resourceRules: elections('*'),
          }),
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
