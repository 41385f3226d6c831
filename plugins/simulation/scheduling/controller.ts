import { isDeepStrictEqual } from 'node:util'
import { type ApiObject, type CacheChange, defineController, services } from 'orch/sdk'
import type { ResourceRef } from 'orch/sdk/client'
import { isPodFinished, keyOf, loopNeeds, podCollection, shareInformer } from 'orch/sdk/controllers'
import { namespaceCollection } from 'orch/sdk/core'
import { expressions } from 'orch/sdk/expressions'
import { Devices } from '../devices/devices.js'
import type { DeviceClaimLike, DeviceClassLike, SliceLike } from '../devices/objects.js'
import { DeviceSelectors } from '../devices/selectors.js'
import { limitedEvents } from '../limited-events.js'
import { claimCollection, nodeCollection, type SimulationNames, volumeCollection } from '../names.js'
import type { SimulatedNode } from '../nodes/node-objects.js'
import type { StoredPod } from '../running/container-facts.js'
import { factsOf } from './pod-facts.js'
import { Scheduler } from './scheduler.js'
import { TopologyTerms } from './topology-terms.js'
import type { ClaimLike, ClassLike, VolumeLike } from './volume-needs.js'

/** Pods that name another scheduler are ignored. */
const schedulerName = 'default-scheduler'

/** Binds pending Pods to nodes. */
export const schedulerLoop = (names: SimulationNames) =>
  defineController({
    name: 'simulated-scheduler',
    rules: [
      { verbs: ['delete', 'get'], apiGroups: [''], resources: ['pods'] },
      { verbs: ['create'], apiGroups: [''], resources: ['pods/binding'] },
      { verbs: ['patch'], apiGroups: [''], resources: ['pods/status'] },
      { verbs: ['patch'], apiGroups: [''], resources: ['persistentvolumeclaims'] },
      { verbs: ['patch', 'update'], apiGroups: [names.deviceGroup], resources: ['resourceclaims'] },
      {
        verbs: ['patch', 'update'],
        apiGroups: [names.deviceGroup],
        resources: ['resourceclaims/binding', 'resourceclaims/status'],
      },
      names.recordEvents,
    ],
    needs: { ...loopNeeds, language: expressions, resources: services.resources },
    async start(runtime) {
      const { client, clock, logger, language, resources } = runtime
      const closers: (() => unknown)[] = []
      const follow = <T extends ApiObject>(resource: ResourceRef) => {
        const informer = shareInformer<T>({ ...runtime, resource })
        closers.push(() => informer.stop())
        return informer.cache
      }
      const pods = follow<StoredPod>(podCollection)
      const nodes = follow<SimulatedNode>(nodeCollection)
      const namespaces = follow<ApiObject>(namespaceCollection)
      const volumes = {
        claims: follow<ClaimLike>(claimCollection),
        volumes: follow<VolumeLike>(volumeCollection),
        classes: follow<ClassLike>(names.classes),
      }
      const { group, resource, version } = names.deviceClaims
      const hasDevices = resources.find(group, resource)?.servedVersions.includes(version) === true
      const devices = hasDevices
        ? {
            claims: follow<DeviceClaimLike>(names.deviceClaims),
            classes: follow<DeviceClassLike>(names.deviceClasses),
            slices: follow<SliceLike>(names.deviceSlices),
          }
        : undefined
      const terms = new TopologyTerms(namespace => namespaces.get('', namespace)?.metadata.labels ?? {})
      const scheduler = new Scheduler({
        clock,
        logger,
        names,
        pods: client.resource<StoredPod>(podCollection),
        claims: client.resource<ClaimLike>(claimCollection),
        events: limitedEvents(runtime, schedulerName),
        volumes,
        devices: devices && new Devices(devices, new DeviceSelectors(language), client, names),
      })
      const { cluster } = scheduler

      const onPod = ({ type, object, previous }: CacheChange<StoredPod>): void => {
        if (type === 'deleted' || isPodFinished(object)) return scheduler.removed(keyOf(object))
        const { nodeName } = object.spec
        // A change of the status alone affects neither this Pod nor others.
        const isRelevant = type === 'added' || !previous || !isSamePod(object, previous)
        if (nodeName) {
          if (isRelevant) scheduler.assigned(factsOf(object, terms, names.labels.hostname), nodeName)
        } else if (object.metadata.deletionTimestamp) scheduler.removed(keyOf(object))
        else if ((object.spec.schedulerName ?? schedulerName) === schedulerName)
          scheduler.enqueue(factsOf(object, terms, names.labels.hostname), isRelevant)
      }
      const onNode = ({ type, object, previous }: CacheChange<SimulatedNode>): void => {
        if (type === 'deleted') return cluster.removeNode(object.metadata.name ?? '')
        if (previous && isSameNode(object, previous)) return
        cluster.setNode(object)
        scheduler.retry()
      }
      const onNamespace = ({ object, previous }: CacheChange<ApiObject>): void => {
        if (isDeepStrictEqual(object.metadata.labels, previous?.metadata.labels)) return
        cluster.counts.reset()
        scheduler.retry()
      }
      closers.push(pods.onChange(onPod), nodes.onChange(onNode), namespaces.onChange(onNamespace))
      const others = [...Object.values(volumes), ...Object.values(devices ?? {})]
      for (const cache of others) closers.push(cache.onChange(() => scheduler.retry()))
      const sources = [pods, nodes, namespaces, ...others]
      void Promise.all(sources.map(cache => cache.ready())).then(() => scheduler.start())
      return async () => {
        await scheduler.stop()
        await Promise.all(closers.map(close => close()))
      }
    },
  })

/** Whether nothing has changed that matters to the scheduling of this Pod or of others. */
const isSamePod = (pod: StoredPod, before: StoredPod): boolean =>
  pod.spec.nodeName === before.spec.nodeName &&
  isDeepStrictEqual(pod.metadata.labels, before.metadata.labels) &&
  isDeepStrictEqual(pod.status?.resourceClaimStatuses, before.status?.resourceClaimStatuses) &&
  (pod.spec.nodeName !== undefined || isDeepStrictEqual(pod.spec, before.spec))

const isSameNode = (node: SimulatedNode, before: SimulatedNode): boolean =>
  isDeepStrictEqual(node.metadata.labels, before.metadata.labels) &&
  isDeepStrictEqual(node.spec, before.spec) &&
  isDeepStrictEqual(node.status?.allocatable, before.status?.allocatable)
