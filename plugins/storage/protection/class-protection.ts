import { defineControlLoop, splitKey } from 'orch/sdk/controllers'
import type { StorageNames } from '../names.js'
import { claimCollection, type PersistentVolumeClaim } from '../persistent-volume-claims/schema.js'
import type { PersistentVolume } from '../persistent-volumes/schema.js'
import type { VolumeAttributesClass } from '../volume-attributes-classes/schema.js'
import { keepFinalizer } from './keep-finalizer.js'

const volumeCollection = { group: '', version: 'v1', resource: 'persistentvolumes' } as const

/** The classes that a claim requests, has, or is being changed to. */
const classesOfClaim = ({ spec, status }: PersistentVolumeClaim): string[] =>
  [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ].filter(name => !!name) as string[]
const classesOfVolume = ({ spec }: PersistentVolume): string[] =>
  spec?.volumeAttributesClassName ? [spec.volumeAttributesClassName] : []

/** A deleted attributes class is kept while a claim or a volume names it. */
export const classProtection = ({ group, classProtection: finalizer, recordEvents }: StorageNames) => {
  const classes = { group, version: 'v1', resource: 'volumeattributesclasses' }
  return defineControlLoop({
    name: 'volumeattributesclass-protection',
    since: '1.34',
    account: 'volumeattributesclass-protection-controller',
    rules: [
      { verbs: ['get', 'list', 'update', 'watch'], apiGroups: [group], resources: [classes.resource] },
      {
        verbs: ['get', 'list', 'watch'],
        apiGroups: [''],
        resources: ['persistentvolumeclaims', 'persistentvolumes'],
      },
      recordEvents,
    ],
    sources: [
      { resource: classes },
      {
        resource: claimCollection,
        keys: (claim: PersistentVolumeClaim, previous?: PersistentVolumeClaim) =>
          [claim, ...(previous ? [previous] : [])].flatMap(classesOfClaim),
      },
      {
        resource: volumeCollection,
        keys: (volume: PersistentVolume, previous?: PersistentVolume) =>
          [volume, ...(previous ? [previous] : [])].flatMap(classesOfVolume),
      },
    ],
    async reconcile(key, caches, { client }) {
      const { name } = splitKey(key)
      const found = caches.of<VolumeAttributesClass>(classes).get('', name)
      if (!found) return
      const isUsed = () =>
        caches
          .of<PersistentVolumeClaim>(claimCollection)
          .list()
          .some(claim => classesOfClaim(claim).includes(name)) ||
        caches
          .of<PersistentVolume>(volumeCollection)
          .list()
          .some(volume => classesOfVolume(volume).includes(name))
      await keepFinalizer(found, finalizer, client.resource<VolumeAttributesClass>(classes), isUsed)
    },
  })
}
