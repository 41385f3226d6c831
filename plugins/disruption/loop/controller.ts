import { type ApiObject, defineController, type Vendor } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { allow, loopNeeds, recordEvents, splitKey, startControlLoop } from 'orch/sdk/controllers'
import type { Pod } from 'orch/sdk/core'
import type { PodDisruptionBudget } from '../pod-disruption-budgets/schema.js'
import { covers, evictionTimeoutMs, expectationOf, isSameStatus, statusOf } from './budget-status.js'

const name = 'disruption'
const budgets = { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' }
const pods = { group: '', version: 'v1', resource: 'pods' }
/** Discovery is refreshed at most this often. */
const kindsKeptMs = 60_000

type Scaled = ApiObject & { spec?: { replicas?: number } }
interface Controller {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
}

/** Keeps the status of every budget: how many Pods it is about, and how many of them may be evicted. */
export const disruptionLoop = (vendor: Vendor) =>
  defineController({
    name,
    account: 'disruption-controller',
    rules: [
      allow('get list watch', ['apps', 'extensions'], 'deployments'),
      allow('get list watch', ['apps', 'extensions'], 'replicasets'),
      allow('get list watch', '', 'replicationcontrollers'),
      allow('get list watch', 'policy', 'poddisruptionbudgets'),
      allow('get list watch', 'apps', 'statefulsets'),
      allow('update', 'policy', 'poddisruptionbudgets/status'),
      allow('get', '*', '*/scale'),
      recordEvents(vendor),
    ],
    needs: loopNeeds,
    start: runtime => {
      const { client, clock } = runtime
      const scales = new Scales(client, () => clock.now())
      return startControlLoop({
        ...runtime,
        name,
        sources: [
          { resource: budgets },
          // Which budgets cover a Pod is only known by matching every budget of its namespace.
          { resource: pods, keys: ({ metadata }: Pod) => [`${metadata?.namespace ?? ''}/`] },
        ],
        async reconcile(key, caches) {
          const { namespace, name: budgetName } = splitKey(key)
          const known = caches.of<PodDisruptionBudget>(budgets)
          const asked = budgetName === '' ? known.list(namespace) : [known.get(namespace, budgetName)]
          let again: number | undefined
          for (const budget of asked) {
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
      })
    },
  })

/** The replicas that the Pods' controllers ask for. Pods without a controller count as none. */
class Scales {
  readonly #client: Client
  readonly #now: () => number
  #kinds: ReturnType<Client['kinds']> | undefined
  #askedAt = 0

  constructor(client: Client, now: () => number) {
    this.#client = client
    this.#now = now
  }

  async of(namespace: string, covered: readonly Pod[]): Promise<number> {
    const controllers = new Map<string, Controller>()
    for (const { metadata } of covered) {
      const owner = metadata?.ownerReferences?.find(({ controller }) => controller)
      if (owner) controllers.set(owner.uid ?? '', owner as Controller)
    }
    const counted = new Map<string, number>()
    for (const controller of controllers.values()) {
      const top = await this.#topOf(namespace, controller)
      if (top) counted.set(top.metadata.uid ?? '', top.spec?.replicas ?? 0)
    }
    return [...counted.values()].reduce((sum, replicas) => sum + replicas, 0)
  }

  /** The object that sets the replica count: for a ReplicaSet that is its Deployment. */
  async #topOf(namespace: string, { apiVersion, kind, name }: Controller): Promise<Scaled | undefined> {
    const info = (await this.#knownKinds()).find(kind, apiVersion)
    if (!info) return undefined
    const found = await this.#client.resource<Scaled>(info).in(namespace).find(name)
    const owner = found?.metadata.ownerReferences?.find(({ controller }) => controller)
    return owner ? ((await this.#topOf(namespace, owner as Controller)) ?? found) : found
  }

  #knownKinds() {
    if (!this.#kinds || this.#now() - this.#askedAt > kindsKeptMs) {
      this.#kinds = this.#client.kinds()
      this.#askedAt = this.#now()
      // A failure is not kept.
      this.#kinds.catch(() => {
        this.#kinds = undefined
      })
    }
    return this.#kinds
  }
}
