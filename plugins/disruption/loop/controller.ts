import type { Vendor } from 'orch/sdk'
import { allow, defineControlLoop, recordEvents, splitKey } from 'orch/sdk/controllers'
import type { Pod } from 'orch/sdk/core'
import { evictedPodsAreMarked } from '../differences.js'
import type { PodDisruptionBudget } from '../pod-disruption-budgets/schema.js'
import { covers, evictionTimeoutMs, expectationOf, isSameStatus, statusOf } from './budget-status.js'
import { DesiredReplicas } from './desired-replicas.js'
import { startMarkLoop } from './mark-loop.js'

const name = 'disruption'
const budgets = { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' }
const pods = { group: '', version: 'v1', resource: 'pods' }

/** Updates the status of every budget: how many Pods it covers, and how many of them may be evicted. */
export const disruptionLoop = (vendor: Vendor) =>
  defineControlLoop({
    name,
    account: 'disruption-controller',
    rules: [
      allow('get list watch', ['apps', 'extensions'], 'deployments'),
      allow('get list watch', ['apps', 'extensions'], 'replicasets'),
      allow('get list watch', '', 'replicationcontrollers'),
      allow('get list watch', 'policy', 'poddisruptionbudgets'),
      allow('get list watch', 'apps', 'statefulsets'),
      allow('update', 'policy', 'poddisruptionbudgets/status'),
      ...(vendor.level.has(evictedPodsAreMarked) ? [allow('patch update', '', 'pods/status')] : []),
      allow('get', '*', '*/scale'),
      recordEvents(vendor),
    ],
    async setUp(runtime) {
      const { client, clock } = runtime
      const scales = new DesiredReplicas(client, () => clock.now())
      return {
        ...(vendor.level.has(evictedPodsAreMarked) ? { stop: await startMarkLoop(runtime, vendor) } : {}),
        sources: [
          { resource: budgets },
          // Every budget of the namespace must be matched to find those that cover a Pod.
          { resource: pods, keys: ({ metadata }: Pod) => [`${metadata?.namespace ?? ''}/`] },
        ],
        async reconcile(key, caches) {
          const { namespace, name: budgetName } = splitKey(key)
          const known = caches.of<PodDisruptionBudget>(budgets)
          const affected = budgetName === '' ? known.list(namespace) : [known.get(namespace, budgetName)]
          let again: number | undefined
          for (const budget of affected) {
            if (!budget) continue
            const covered = caches.of<Pod>(pods).list(namespace).filter(covers(budget))
            const expected = expectationOf(budget, covered.length, await scales.of(namespace, covered))
            const status = statusOf(budget, covered, expected, clock.now())
            if (status.disruptedPods) again = evictionTimeoutMs
            if (isSameStatus(budget.status, status)) continue
            await client
              .resource<PodDisruptionBudget>(budgets)
              .in(namespace)
              .updateSubresource('status', { ...budget, status })
          }
          return again === undefined ? undefined : { requeueAfterMs: again }
        },
      }
    },
  })
