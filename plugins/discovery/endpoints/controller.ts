import { isDeepStrictEqual } from 'node:util'
import { ApiError } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { allow, defineControlLoop } from 'orch/sdk/controllers'
import type { Endpoints, Pod, Service } from 'orch/sdk/core'
import { hasSelector, isHeadless, PodChanges, podMatcher } from '../backends.js'
import type { DiscoveryNames } from '../names.js'
import { TriggerTimes } from '../trigger-times.js'
import { subsetsOf } from './subsets.js'

const name = 'endpoint'

/** Maintains the Endpoints of every Service with a selector: the addresses of its Pods. */
export const endpointsLoop = (names: DiscoveryNames) => {
  const { pods, endpoints, services: serviceCollection } = names
  return defineControlLoop({
    name,
    account: 'endpoint-controller',
    rules: [
      allow('get list watch', '', 'pods services'),
      allow('create delete get list update', '', 'endpoints'),
      allow('create', '', 'endpoints/restricted'),
      names.recordEvents,
    ],
    setUp: runtime => {
      const changes = new PodChanges()
      const times = new TriggerTimes()
      return {
        sources: [{ resource: serviceCollection }, { resource: endpoints }, { resource: pods, keys: changes.keys }],
        async reconcile(key, caches) {
          await changes.eachService(
            key,
            caches.of<Service>(serviceCollection),
            async service => {
              if (!hasSelector(service) || service.metadata?.deletionTimestamp) return
              if (service.spec?.type === 'ExternalName' && names.externalNamesHaveNoEndpoints) return
              const namespace = service.metadata?.namespace ?? ''
              const backends = caches.of<Pod>(pods).list(namespace).filter(podMatcher(service))
              const stored = caches.of<Endpoints>(endpoints).get(namespace, service.metadata?.name ?? '')
              const time = times.next(service, backends)
              await bringUpToDate(runtime.client, names, service, backends, stored, time)
            },
            times,
          )
        },
      }
    },
  })
}

async function bringUpToDate(
  client: Client,
  { endpoints, headlessLabel, overCapacityAnnotation, triggerTimeAnnotation, endpointsManager }: DiscoveryNames,
  service: Service,
  pods: readonly Pod[],
  stored: Endpoints | undefined,
  time: string | undefined,
): Promise<void> {
  const { name = '', namespace = '' } = service.metadata ?? {}
  const { [headlessLabel]: _, ...serviceLabels } = service.metadata?.labels ?? {}
  const { subsets, isCut } = subsetsOf(service, pods)
  const labels = {
    ...serviceLabels,
    ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
    ...endpointsManager,
  }
  const {
    [overCapacityAnnotation]: wasCut,
    [triggerTimeAnnotation]: __,
    ...annotations
  } = stored?.metadata?.annotations ?? {}
  const isSame =
    isDeepStrictEqual(subsets, stored?.subsets ?? []) &&
    isDeepStrictEqual(labels, stored?.metadata?.labels ?? {}) &&
    (wasCut !== undefined) === isCut
  if (stored && isSame) return
  const object = {
    ...stored,
    metadata: {
      ...(stored?.metadata ?? { name, namespace }),
      labels,
      annotations: {
        ...annotations,
        ...(isCut ? { [overCapacityAnnotation]: 'truncated' } : {}),
        ...(time === undefined ? {} : { [triggerTimeAnnotation]: time }),
      },
    },
    subsets,
  }
  const collection = client.resource<Endpoints>(endpoints).in(namespace)
  if (stored) await collection.update(object)
  else
    await collection.create(object).catch((error: unknown) => {
      // Nothing can be created in a terminating namespace.
      if (!(error instanceof ApiError && error.code === 403)) throw error
    })
}
