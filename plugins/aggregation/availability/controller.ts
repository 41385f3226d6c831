import { type ApiObject, services } from 'orch/sdk'
import { serviceAddresses } from 'orch/sdk/admission'
import { unlessLost } from 'orch/sdk/client'
import { defineControlLoop, type LoopCaches } from 'orch/sdk/controllers'
import type { Endpoints, Service } from 'orch/sdk/core'
import { type APIService, availableOf, type Condition, localCondition } from '../api-services/schema.js'
import type { AggregationNames } from '../names.js'
import { ProxyCredentials } from '../proxying/proxy-credentials.js'
import type { AggregationOptions } from '../services.js'
import { type Finding, findMissing, Probe } from './probe.js'

const serviceCollection = { group: '', version: 'v1', resource: 'services' } as const
const endpointsCollection = { group: '', version: 'v1', resource: 'endpoints' } as const
/** How often an available server is probed. An unavailable one is probed with exponential backoff up to this interval. */
const probeIntervalMs = 30_000
const firstRetryMs = 500

/** Maintains the Available condition of every APIService. */
export const availability = (names: AggregationNames, options: AggregationOptions) =>
  defineControlLoop({
    name: 'apiservice-availability',
    account: 'apiservice-availability-controller',
    rules: [{ verbs: ['update'], apiGroups: [names.group], resources: ['apiservices/status'] }],
    needs: {
      addresses: serviceAddresses,
      server: services.server,
    },
    setUp(runtime) {
      const { client, clock, addresses } = runtime
      const collection = client.resource<APIService>(names.apiServices)
      const probe = new Probe(addresses, names, options, new ProxyCredentials(options, runtime))
      const failures = new Map<string, number>()
      let known: LoopCaches | undefined
      let isStopping = false

      const apiServicesOf = ({ metadata }: ApiObject): string[] =>
        (known?.of<APIService>(names.apiServices).list() ?? [])
          .filter(
            ({ spec: { service } }) => service?.namespace === metadata.namespace && service?.name === metadata.name,
          )
          .map(each => each.metadata.name ?? '')
      const find = async (caches: LoopCaches, apiService: APIService): Promise<Finding> => {
        const { namespace = '', name = '' } = apiService.spec.service ?? {}
        const service = caches.of<Service & ApiObject>(serviceCollection).get(namespace, name)
        const endpoints = caches.of<Endpoints & ApiObject>(endpointsCollection).get(namespace, name)
        return findMissing(apiService, service, endpoints) ?? (await probe.run(apiService))
      }
      return {
        sources: [
          { resource: names.apiServices, keys: ({ metadata }: ApiObject) => [metadata.name ?? ''] },
          { resource: serviceCollection, keys: apiServicesOf },
          { resource: endpointsCollection, keys: apiServicesOf },
        ],
        async reconcile(name, caches) {
          known = caches
          const apiService = caches.of<APIService>(names.apiServices).get('', name)
          if (!apiService) return void failures.delete(name)
          if (!apiService.spec.service) {
            await writeCondition(apiService, localCondition(clock.now()))
            return
          }
          const { isAvailable, reason, message } = await find(caches, apiService)
          // An aborted probe says nothing about the server.
          if (isStopping) return
          const status = isAvailable ? 'True' : 'False'
          await writeCondition(apiService, { ...localCondition(clock.now()), status, reason, message })
          const failed = isAvailable ? 0 : (failures.get(name) ?? 0) + 1
          failures.set(name, failed)
          // Missing Services and endpoints trigger a reconcile when they appear.
          if (!isAvailable && reason !== 'FailedDiscoveryCheck') return
          return {
            requeueAfterMs: isAvailable ? probeIntervalMs : Math.min(probeIntervalMs, firstRetryMs * 2 ** (failed - 1)),
          }
        },
        stop() {
          isStopping = true
          probe.close()
        },
      }

      async function writeCondition(apiService: APIService, condition: Condition): Promise<void> {
        const before = availableOf(apiService)
        const { status, reason, message } = condition
        if (before?.status === status && before?.reason === reason && before?.message === message) return
        const isSameStatus = before?.status === status
        const written = isSameStatus ? { ...condition, lastTransitionTime: before?.lastTransitionTime } : condition
        const others = (apiService.status.conditions ?? []).filter(({ type }) => type !== 'Available')
        await unlessLost(
          collection.updateSubresource('status', {
            ...apiService,
            status: { conditions: [...others, written] },
          }),
        )
      }
    },
  })
