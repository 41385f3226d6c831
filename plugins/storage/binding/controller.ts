import { createEventRecorder, defineControlLoop, splitKey } from 'orch/sdk/controllers'
import type { StorageNames } from '../names.js'
import { claimCollection, type PersistentVolumeClaim } from '../persistent-volume-claims/schema.js'
import { type PersistentVolume, volumeCollection } from '../persistent-volumes/schema.js'
import { isDefaultClass, newestClass } from '../storage-classes/default-class.js'
import { classCollection, type StorageClass } from '../storage-classes/schema.js'
import { classOf } from '../volume-class.js'
import type { BindingContext } from './binding-context.js'
import { claimKey, isAnnotated } from './binding-state.js'
import { syncClaim } from './sync-claim.js'
import { syncVolume } from './sync-volume.js'

/** The claims without a volume, which are enqueued again when a volume or class is added. */
class WaitingClaims {
  readonly #claims = new Map<string, { readonly className: string; readonly volumeName: string }>()

  /** Updates the entry of a claim. */
  update(
    key: string,
    claim: PersistentVolumeClaim | undefined,
    className: string,
    { bindCompleted }: Pick<StorageNames, 'bindCompleted'>,
  ): void {
    if (!claim || isAnnotated(claim, bindCompleted)) this.#claims.delete(key)
    else this.#claims.set(key, { className, volumeName: claim.spec?.volumeName ?? '' })
  }

  /** Claims that may bind to this volume: those that name it and, if it is free, those of its class. */
  for({ metadata, spec, status }: PersistentVolume, volumeClass: string): string[] {
    const isFree = !spec?.claimRef && status?.phase === 'Available'
    return this.#keys(({ className, volumeName }) =>
      volumeName === '' ? isFree && className === volumeClass : volumeName === metadata?.name,
    )
  }

  ofClass(wanted: string): string[] {
    return this.#keys(({ className }) => className === wanted)
  }

  #keys(matches: (claim: { className: string; volumeName: string }) => boolean): string[] {
    return [...this.#claims].filter(([, claim]) => matches(claim)).map(([key]) => key)
  }
}

const name = 'persistentvolume-binder'
const isClaimKey = (key: string) => key.includes('/')
const claimOf = ({ spec }: PersistentVolume) =>
  spec?.claimRef ? [`${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}`] : []

/**
 * Binds claims and volumes to each other and releases volumes whose claim was deleted. Keys with a slash are claims,
 * others volumes. One worker only: concurrent claims would conflict over the same free volume.
 */
export const volumeBinder = (names: StorageNames, assignsDefaultClass = false) =>
  defineControlLoop({
    name,
    account: 'persistent-volume-binder',
    rules: [
      {
        verbs: ['create', 'delete', 'get', 'list', 'update', 'watch'],
        apiGroups: [''],
        resources: ['persistentvolumes'],
      },
      { verbs: ['update'], apiGroups: [''], resources: ['persistentvolumes/status'] },
      { verbs: ['get', 'list', 'update', 'watch'], apiGroups: [''], resources: ['persistentvolumeclaims'] },
      { verbs: ['update'], apiGroups: [''], resources: ['persistentvolumeclaims/status'] },
      { verbs: ['create', 'delete', 'get', 'list', 'watch'], apiGroups: [''], resources: ['pods'] },
      { verbs: ['get', 'list', 'watch'], apiGroups: [names.group], resources: ['storageclasses'] },
      // For the Glusterfs provisioner, which the reference removed step by step.
      { verbs: ['create', 'delete', 'get', 'update'], apiGroups: [''], resources: ['endpoints'], until: '1.31' },
      { verbs: ['create', 'delete', 'get'], apiGroups: [''], resources: ['services'], until: '1.31' },
      { verbs: ['get'], apiGroups: [''], resources: ['services'], since: '1.32', until: '1.35' },
      { verbs: ['get'], apiGroups: [''], resources: ['secrets'], until: '1.31' },
      { verbs: ['get', 'list'], apiGroups: [''], resources: ['nodes'], until: '1.31' },
      { verbs: ['list'], apiGroups: [''], resources: ['nodes'], since: '1.32' },
      { verbs: ['watch'], apiGroups: [''], resources: ['events'] },
      names.recordEvents,
    ],
    setUp(runtime) {
      const classes = classCollection(names)
      const waiting = new WaitingClaims()
      const { client } = runtime
      const shared = {
        names,
        volumes: client.resource<PersistentVolume>(volumeCollection),
        claims: client.resource<PersistentVolumeClaim>(claimCollection),
        events: createEventRecorder({ ...runtime, component: 'persistentvolume-controller' }),
      }
      return {
        sources: [
          {
            resource: volumeCollection,
            keys: (volume: PersistentVolume, previous?: PersistentVolume) => [
              volume.metadata?.name ?? '',
              ...[volume, ...(previous ? [previous] : [])].flatMap(claimOf),
              ...waiting.for(volume, classOf(volume, names)),
            ],
          },
          {
            resource: claimCollection,
            keys: (claim: PersistentVolumeClaim, previous?: PersistentVolumeClaim) => [
              claimKey(claim),
              ...[claim, previous].flatMap(one => (one?.spec?.volumeName ? [one.spec.volumeName] : [])),
            ],
          },
          {
            resource: classes,
            keys: (one: StorageClass) => [
              ...waiting.ofClass(one.metadata?.name ?? ''),
              ...(assignsDefaultClass && isDefaultClass(one, names) ? waiting.ofClass('') : []),
            ],
          },
        ],
        async reconcile(key, caches) {
          const context: BindingContext = {
            ...shared,
            volume: volumeName => caches.of<PersistentVolume>(volumeCollection).get('', volumeName),
            claim: (namespace, claimName) =>
              caches.of<PersistentVolumeClaim>(claimCollection).get(namespace, claimName),
            storageClass: className => caches.of<StorageClass>(classes).get('', className),
            defaultClass: () =>
              assignsDefaultClass
                ? newestClass(
                    caches
                      .of<StorageClass>(classes)
                      .list()
                      .filter(one => isDefaultClass(one, names)),
                  )
                : undefined,
            allVolumes: () => caches.of<PersistentVolume>(volumeCollection).list(),
          }
          if (!isClaimKey(key)) {
            const volume = context.volume(key)
            if (volume) await syncVolume(context, volume)
            return
          }
          const { namespace, name: claimName } = splitKey(key)
          const claim = context.claim(namespace, claimName)
          waiting.update(key, claim, claim ? classOf(claim, names) : '', names)
          if (claim) await syncClaim(context, claim)
        },
      }
    },
  })
